// The texts of a release: where the version stands, and what the changelog says of it.

interface Step {
  from: string
  to: string
}

/** Semantic Versioning 2.0.0, without build metadata. */
const VERSION = /^(\d+)\.(\d+)\.(\d+)(?:-([\w.-]+))?$/

/** Files with the new version in them; a text says why there are none. */
export function versionedFiles(
  read: (path: string) => string,
  { from, to }: Step,
): Map<string, string> | string {
  if (!VERSION.test(to)) return `"${to}" is no version like 1.2.3`
  if (!isAfter(to, from)) return `${to} does not come after ${from}`
  const old = `"version": "${from}"`
  const next = `"version": "${to}"`
  const places: [path: string, old: string, next: string, times: number][] = [
    ['package.json', old, next, 1],
    // of the whole, and of its first package
    ['package-lock.json', old, next, 2],
    ['client/package.json', old, next, 1],
    ['docs/operations/kubernetes/fiskalwerk.yaml', `:${from}`, `:${to}`, 1],
  ]
  const files = new Map<string, string>()
  for (const [path, was, will, times] of places) {
    const parts = read(path).split(was)
    if (parts.length <= times) return `${path} does not have ${was}`
    files.set(path, parts.slice(0, times).join(will) + will + parts.slice(times).join(was))
  }
  return files
}

function isAfter(one: string, other: string): boolean {
  const [a, b] = [numbers(one), numbers(other)]
  const at = a.findIndex((part, place) => part !== b[place])
  if (at >= 0) return (a[at] ?? 0) > (b[at] ?? 0)
  // what comes before a version has a part behind a hyphen
  return other.includes('-') && (!one.includes('-') || one > other)
}

const numbers = (version: string): number[] => (VERSION.exec(version) ?? []).slice(1, 4).map(Number)

const OPEN = '## [Unreleased]'

/** With the open part under its version; undefined where nothing stands in it. */
export function closedChangelog(
  text: string,
  { version, day }: { version: string; day: string },
): string | undefined {
  if (notesOf(text) === '') return undefined
  return text.replace(OPEN, `${OPEN}\n\n## [${version}] - ${day}`)
}

/** What the changelog says of a version; of what is not released yet without one. */
export function notesOf(text: string, version = 'Unreleased'): string {
  const start = text.indexOf(`## [${version}]`)
  if (start < 0) return ''
  const part = text.slice(text.indexOf('\n', start) + 1)
  const end = part.search(/^## \[/m)
  return (end < 0 ? part : part.slice(0, end)).trim()
}
