// Settings of older versions that still count: each is handed on in the form that took its place.

type Given = ReadonlyMap<string, string>

/** By setting, the text that older ones make of it; undefined: none of them is set. */
const FORMS: Readonly<Record<string, (given: Given) => string | undefined>> = {
  GRPC_TLS: (given) => {
    const [cert, key] = [given.get('GRPC_TLS_CERT'), given.get('GRPC_TLS_KEY')]
    if (given.has('GRPC_TLS') || (cert ?? key) === undefined) return undefined
    return `${cert ?? ''},${key ?? ''}`
  },
  RATE_LIMITS: (given) => {
    const named = given.get('RATE_LIMITS') ?? ''
    const former = Object.entries(LIMITS).flatMap(([name, word]) => {
      const value = given.get(name)
      return value === undefined || named.includes(`${word}=`) ? [] : [`${word}=${value}`]
    })
    return former.length === 0 ? undefined : [named, ...former].join(',')
  },
  TRACES_URL: (given) => behind(given.get('TRACES_URL'), given.get('TRACES_RATIO')),
  SSO_ISSUER: (given) => {
    const [issuer, client] = [given.get('SSO_ISSUER'), given.get('SSO_CLIENT')]
    if (client === undefined || issuer?.includes('@')) return undefined
    const [id = '', ...secret] = client.split(':').map(encodeURIComponent)
    return (issuer ?? 'https://').replace('//', `//${id}:${secret.join('%3A')}@`)
  },
  MIDDLEWARE_AUTH: (given) => {
    const asks = given.get('MIDDLEWARE_AUTH')
    return asks?.startsWith('off') ? behind(asks, given.get('MIDDLEWARE_HOSTS')) : undefined
  },
  QUEUE_ALIASES: (given) => {
    const queue = given.get('DEFAULT_QUEUE')
    return queue && behind(given.get('QUEUE_ALIASES') ?? '', `*=${queue}`)
  },
  LOG_LEVEL: (given) => {
    const isWanted = given.get('ACCESS_LOG') === 'true'
    return isWanted ? behind(given.get('LOG_LEVEL') ?? 'info', 'access') : undefined
  },
}

const LIMITS = {
  RATE_LIMIT_FAILURES: 'credentials',
  RATE_LIMIT_PIN: 'pin',
  RATE_LIMIT_DEALER: 'dealer',
}

const behind = (text: string | undefined, more: string | undefined): string | undefined =>
  text === undefined || more === undefined ? undefined : `${text},${more}`

/** What is set, and what older settings make of it. */
export function withFormer(given: Given): Given {
  const made = Object.entries(FORMS).map(([name, form]) => [name, form(given)] as const)
  const set = made.filter((entry): entry is readonly [string, string] => entry[1] !== undefined)
  return new Map([...given, ...set])
}
