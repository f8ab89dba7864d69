// What a module imports, in every spelling the language has, and where a relative import leads.
import { posix } from 'node:path'
import { lineOf, listOf, nameOf, type SyntaxNode, textOf, walk } from './syntax.js'
import type { Tree } from './tree.js'

export interface ImportLine {
  /** As written: `../lib/json.js`, `node:fs`, `zod`. */
  specifier: string
  line: number
  /** Vanishes at run time. */
  typeOnly: boolean
  /** Imported names; empty for `import * as`, side effects and dynamic imports. */
  names: string[]
}

const STATEMENTS = new Set(['ImportDeclaration', 'ExportNamedDeclaration', 'ExportAllDeclaration'])

/** `import`, `import type`, `export from`, `import()`, `import('…')` types, `require()`. */
export function importsOf(program: SyntaxNode): ImportLine[] {
  const found: ImportLine[] = []
  walk(program, (node) => {
    const specifier = specifierOf(node)
    if (specifier === '') return
    found.push({ specifier, line: lineOf(node), typeOnly: isTypeOnly(node), names: namesOf(node) })
  })
  return found
}

function specifierOf(node: SyntaxNode): string {
  if (STATEMENTS.has(node.type)) return textOf(node.source)
  if (node.type === 'ImportExpression') return textOf(node.source)
  if (node.type === 'TSImportType') return textOf(node.argument)
  if (node.type === 'TSExternalModuleReference') return textOf(node.expression)
  if (node.type !== 'CallExpression') return ''
  const callee = node.callee
  const dynamic = nameOf(callee) === 'require' || Reflect.get(Object(callee), 'type') === 'Import'
  return dynamic ? textOf(listOf(node.arguments)[0]) : ''
}

function isTypeOnly(node: SyntaxNode): boolean {
  if (node.type === 'TSImportType') return true
  if (node.importKind === 'type' || node.exportKind === 'type') return true
  const parts = listOf(node.specifiers)
  return parts.length > 0 && parts.every((part) => (part.importKind ?? part.exportKind) === 'type')
}

function namesOf(node: SyntaxNode): string[] {
  return listOf(node.specifiers)
    .map((part) => nameOf(part.imported ?? part.local))
    .filter((name) => name !== '')
}

/** The file that a relative import means (`./a.js` is `./a.ts`), undefined when there is none. */
export function resolveImport(tree: Tree, from: string, specifier: string): string | undefined {
  const path = posix.normalize(posix.join(posix.dirname(from), specifier))
  const typed = path.replace(/\.js$/, '.ts').replace(/\.mjs$/, '.mts')
  const candidates = [typed, path, path.replace(/\.js$/, '.tsx')]
  // generated code is not part of the tree, but it may be imported
  if (path.startsWith('src/generated/')) return typed
  return candidates.find((candidate) => tree.has(candidate))
}

/** The package of a bare import: `@scope/name/deep` → `@scope/name`; undefined for others. */
export function packageOf(specifier: string): string | undefined {
  if (specifier.startsWith('.') || specifier.startsWith('node:')) return undefined
  const parts = specifier.split('/')
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0]
}
