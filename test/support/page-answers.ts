// Whether an answer is the one that a page shows. A page may write … for what is different in every
// run: within a text for any characters, as an element for any number of elements, as the name of a
// member for any further members. Ids, times and trace ids need none: one is as good as another.

/** JSON within other text; 64-bit words keep all their digits, as text. */
export function parsed(text: string): unknown {
  const json = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)
  return JSON.parse(json.replace(/(?<=[:[,]\s*)-?\d{16,}(?=\s*[,}\]])/g, '"$&"'))
}

/** What the answer says otherwise than the page, with the place of each; empty: nothing. */
export function differences(answer: unknown, page: unknown, path = '$'): string[] {
  if (Array.isArray(page)) return ofElements(answer, page, path)
  if (isObject(page)) return ofMembers(answer, page, path)
  const same =
    typeof page === 'string' && typeof answer === 'string'
      ? fits(answer, page) || fits(plain(answer), plain(page))
      : answer === page
  return same ? [] : [`${path}: ${JSON.stringify(answer)} for ${JSON.stringify(page)}`]
}

function ofElements(answer: unknown, page: unknown[], path: string): string[] {
  const given: unknown[] = Array.isArray(answer) ? answer : []
  if (!page.includes('…')) {
    const length = Math.max(given.length, page.length)
    return Array.from({ length }, (_, at) =>
      differences(given[at], page[at], `${path}[${at}]`),
    ).flat()
  }
  const left = [...given]
  return page.flatMap((one, at) => {
    if (one === '…') return []
    const found = left.findIndex((other) => differences(other, one).length === 0)
    left.splice(0, found + 1)
    return found < 0 ? [`${path}[${at}]: no ${JSON.stringify(one)}`] : []
  })
}

function ofMembers(answer: unknown, page: Record<string, unknown>, path: string): string[] {
  if (!isObject(answer)) return [`${path}: ${JSON.stringify(answer)} for an object`]
  const told = Object.keys(page).filter((name) => name !== '…')
  const more = '…' in page ? [] : Object.keys(answer).filter((name) => !told.includes(name))
  return [
    ...told.flatMap((name) => differences(answer[name], page[name], `${path}.${name}`)),
    ...more.map((name) => `${path}.${name}: is not on the page`),
  ]
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g
const TRACE = /\b00-[0-9a-f]{32}-[0-9a-f]{16}-\d\d\b/g

function plain(text: string): string {
  return text.replace(UUID, '<id>').replace(TIME, '<time>').replace(TRACE, '<trace>')
}

function fits(text: string, shown: string): boolean {
  const parts = shown.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('[^]*')}$`).test(text)
}
