// A small validating reader: a DTD of elements without attributes, its content models as regular
// expressions over the names of the children.
import { XMLParser } from 'fast-xml-parser'

type Node = Record<string, unknown>

/** What is wrong in the document, by the grammar; empty: it is valid. */
export function faultsOf(xml: string, dtd: string): string[] {
  const models = modelsOf(dtd)
  const parser = new XMLParser({ preserveOrder: true, ignoreDeclaration: true, trimValues: false })
  const faults: string[] = []
  const visit = (name: string, children: readonly Node[]): void => {
    const model = models.get(name)
    const names = children.map(nameOf)
    const elements = names.filter((one) => one !== '#text')
    if (model === undefined) faults.push(`${name} is not declared`)
    else if (!model.test(elements.map((one) => `${one} `).join(''))) {
      faults.push(`${name} holds ${elements.join(', ')}`)
    }
    for (const child of children) {
      const own = nameOf(child)
      if (own === '#text') {
        const text = String(child['#text'])
        if (elements.length > 0 && text.trim() !== '') faults.push(`text in ${name}`)
      } else visit(own, child[own] as Node[])
    }
  }
  for (const root of parser.parse(xml) as Node[]) {
    if (nameOf(root) !== '#text') visit(nameOf(root), root[nameOf(root)] as Node[])
  }
  return faults
}

function nameOf(node: Node): string {
  return Object.keys(node).find((name) => name !== ':@') ?? ''
}

function modelsOf(dtd: string): Map<string, RegExp> {
  const models = new Map<string, RegExp>()
  const bare = dtd.replace(/<!--[\s\S]*?-->/g, '')
  for (const [, name = '', model = ''] of bare.matchAll(/<!ELEMENT\s+(\w+)\s+([^>]+)>/g)) {
    const source = model
      .replace(/EMPTY|#PCDATA/g, '')
      .replace(/\s+/g, '')
      .replace(/\w+/g, '(?:$& )')
      .replaceAll(',', '')
    if (models.has(name)) throw new Error(`${name} is declared twice`)
    models.set(name, new RegExp(`^(?:${source})$`))
  }
  return models
}
