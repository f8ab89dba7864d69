// The files of the repository as the checks see them: paths and texts, read from disk or made up.
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { parseModule, type SyntaxNode } from './syntax.js'

/** Something that breaks a rule of the house. */
export interface Finding {
  file: string
  line: number
  text: string
}

/** What is made by tools or by a running server; the same that .gitignore leaves out. */
const SKIPPED = /(^|\/)(node_modules|\.git)$|^(dist|data|coverage|\.env|src\/generated)$/
const BINARY = new Set(['.png', '.pdf', '.jpg', '.ico', '.ttf', '.woff2', '.zip', '.tar', '.gz'])
const CODE = /\.(ts|tsx|mts|mjs|js)$/

export class Tree {
  private readonly files: ReadonlyMap<string, string>
  private readonly programs = new Map<string, SyntaxNode>()

  /** `files`: text by path, written with slashes and relative to the root. */
  constructor(files: ReadonlyMap<string, string>) {
    this.files = files
  }

  /** A tree made up for a test. */
  static of(files: Record<string, string>): Tree {
    return new Tree(new Map(Object.entries(files)))
  }

  /** Everything below `root` that belongs to the repository. */
  static read(root: string): Tree {
    const files = new Map<string, string>()
    const collect = (folder: string): void => {
      for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
        const path = folder === '' ? entry.name : `${folder}/${entry.name}`
        if (SKIPPED.test(path)) continue
        if (entry.isDirectory()) collect(path)
        else if (entry.isFile()) files.set(path, contentOf(root, path))
      }
    }
    collect('')
    return new Tree(files)
  }

  has(path: string): boolean {
    return this.files.has(path)
  }

  /** True for a path that some file lies below. */
  hasFolder(path: string): boolean {
    return this.paths().some((other) => other.startsWith(`${path}/`))
  }

  paths(): string[] {
    return [...this.files.keys()]
  }

  /** Sources in one of the folders (`src`, `test/support`); '' is the root without its folders. */
  code(...folders: string[]): string[] {
    return this.paths().filter((path) => CODE.test(path) && !isVector(path) && lies(path, folders))
  }

  text(path: string): string {
    return this.files.get(path) ?? ''
  }

  lines(path: string): string[] {
    return this.text(path).split('\n')
  }

  program(path: string): SyntaxNode {
    const known = this.programs.get(path)
    if (known !== undefined) return known
    const program = parseModule(path, this.text(path))
    this.programs.set(path, program)
    return program
  }
}

/** Test vectors are foreign or generated material: no rule of style applies to them. */
export function isVector(path: string): boolean {
  return path.split('/').includes('vectors')
}

function lies(path: string, folders: string[]): boolean {
  return folders.some((folder) =>
    folder === '' ? !path.includes('/') : path.startsWith(`${folder}/`),
  )
}

function contentOf(root: string, path: string): string {
  return BINARY.has(extname(path)) ? '' : readFileSync(join(root, path), 'utf8')
}

/** Texts of the findings in a tree made up of these files. */
export const foundIn = (
  check: (tree: Tree) => Finding[],
  files: Record<string, string>,
): string[] => check(Tree.of(files)).map(({ text }) => text)
