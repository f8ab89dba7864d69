// The spellings of group B as a table: format and version words in either order, with and without
// the queue. Clients of twenty years use all of them.

export type Operation = 'echo' | 'sign' | 'journal'
/** '' where the path names no form of the bodies. */
export type FormatWord = 'json' | 'xml' | ''
/** '' where the path names no version. */
export type Version = 'v0' | 'v1' | ''

export interface RouteSpelling {
  path: string
  operation: Operation
  version: Version
  format: FormatWord
  /** A spelling that the document has. */
  shown: boolean
}

const FORMATS: readonly FormatWord[] = ['', 'json', 'xml']
const VERSIONS: readonly Version[] = ['', 'v0', 'v1']
/** Of many wordings the two that the document has. */
const SHOWN = new Set(['json/v1', 'xml/v1'])
const OPERATIONS: readonly Operation[] = ['echo', 'sign', 'journal']

/**
 * Every path of group B below its mount point. Case and doubled slashes are the router's business.
 */
export function routeSpellings(): RouteSpelling[] {
  const found = new Map<string, RouteSpelling>()
  for (const base of ['', '/:queue']) {
    for (const operation of OPERATIONS) {
      for (const { words, ...names } of wordings()) {
        const path = `${base}/${[...words, operation].join('/')}`
        const shown = base !== '' && SHOWN.has(words.join('/'))
        found.set(path, { path, operation, ...names, shown })
      }
    }
  }
  return [...found.values()]
}

function wordings(): { words: string[]; version: Version; format: FormatWord }[] {
  return FORMATS.flatMap((format) =>
    VERSIONS.flatMap((version) =>
      [
        [format, version],
        [version, format],
      ].map((words) => ({ words: words.filter((word) => word !== ''), version, format })),
    ),
  )
}
