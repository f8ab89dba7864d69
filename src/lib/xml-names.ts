// Names with prefixes to namespaces and local names (Namespaces in XML 1.0), each name once per
// scope: the parser's own way makes two tables for every element.

/** A name as it stands for something. */
export interface XmlName {
  /** Namespace, '' for none. */
  uri: string
  /** Without the prefix. */
  local: string
}

const XML = 'http://www.w3.org/XML/1998/namespace'
const XMLNS = 'http://www.w3.org/2000/xmlns/'
/** Namespace of `nil`. */
export const XSI = 'http://www.w3.org/2001/XMLSchema-instance'

/** What prefixes mean inside of an element. */
export class XmlScope {
  private readonly known = new Map<string, XmlName>()

  private constructor(
    private readonly declared: ReadonlyMap<string, string>,
    private readonly outer?: XmlScope,
  ) {}

  static readonly root = () => new XmlScope(new Map([['xml', XML]]))

  /** Meaning of an element's name. Throws RangeError for a prefix that nobody has declared. */
  element(name: string): XmlName {
    let found = this.known.get(name)
    if (found === undefined) {
      found = this.resolved(name, true)
      this.known.set(name, found)
    }
    return found
  }

  /** Meaning of an attribute's name: without a prefix it has no namespace. */
  attribute(name: string): XmlName {
    return this.resolved(name, false)
  }

  /** The scope of an element with these attributes; throws RangeError for forbidden ones. */
  inside(attributes: readonly { name: string; value: string }[]): XmlScope {
    let declared: Map<string, string> | undefined
    for (const { name, value } of attributes) {
      const prefix = declaredBy(name)
      if (prefix === undefined) continue
      const uri = value.trim()
      checkDeclaration(prefix, uri)
      declared ??= new Map()
      declared.set(prefix, uri)
    }
    return declared === undefined ? this : new XmlScope(declared, this)
  }

  private uriOf(prefix: string): string | undefined {
    for (let scope: XmlScope | undefined = this; scope !== undefined; scope = scope.outer) {
      const uri = scope.declared.get(prefix)
      if (uri !== undefined) return uri
    }
    return undefined
  }

  private resolved(name: string, isElement: boolean): XmlName {
    const { prefix, local } = partsOf(name)
    if (prefix === '') return { local, uri: isElement ? (this.uriOf('') ?? '') : '' }
    if (prefix === 'xmlns') throw new RangeError('a name may not have the prefix xmlns')
    const uri = this.uriOf(prefix)
    if (uri === undefined) throw new RangeError(`unbound namespace prefix: ${prefix}`)
    return { local, uri }
  }
}

/** The prefix that an attribute declares, '' for the default one; undefined for any other. */
export function declaredBy(name: string): string | undefined {
  if (name === 'xmlns') return ''
  return name.startsWith('xmlns:') ? partsOf(name).local : undefined
}

function partsOf(name: string): { prefix: string; local: string } {
  const colon = name.indexOf(':')
  if (colon < 0) return { prefix: '', local: name }
  const local = name.slice(colon + 1)
  if (colon === 0 || local === '' || local.includes(':')) {
    throw new RangeError(`malformed name: ${name}`)
  }
  return { prefix: name.slice(0, colon), local }
}

/** Whether an element may say that the prefix stands for the namespace. */
export function isDeclarable(prefix: string, uri: string): boolean {
  try {
    checkDeclaration(prefix, uri)
    return true
  } catch {
    return false
  }
}

/** Section 3 of the recommendation: what must not be bound. */
function checkDeclaration(prefix: string, uri: string): void {
  if (prefix !== '' && uri === '') {
    throw new RangeError('a prefix cannot be undone in XML 1.0')
  }
  if (prefix === 'xmlns' || uri === XMLNS || (prefix === 'xml') !== (uri === XML)) {
    throw new RangeError(`the prefix ${prefix === '' ? 'of nothing' : prefix} cannot be bound so`)
  }
}
