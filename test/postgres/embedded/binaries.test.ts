import * as fs from 'node:fs'
import * as path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeThrowAwayFolder, removeThrowAwayFolder } from '../../../scripts/throw-away-cluster.js'
import { packagedNative, usableNative } from '../../../src/postgres/embedded/binaries.js'

let folder: string
let native: string

/** A package whose install script has not run: the programs without links between libraries. */
beforeEach(() => {
  folder = makeThrowAwayFolder()
  native = path.join(folder, 'package', 'native')
  fs.mkdirSync(path.join(native, 'bin'), { recursive: true })
  fs.mkdirSync(path.join(native, 'lib'))
  fs.writeFileSync(path.join(native, '..', 'package.json'), '{"version":"1.2.3"}')
  fs.writeFileSync(path.join(native, 'bin', 'postgres'), '', { mode: 0o700 })
  fs.writeFileSync(path.join(native, 'lib', 'libpq.so.5.18'), 'a library')
  const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]
  fs.writeFileSync(path.join(native, 'pg-symlinks.json'), JSON.stringify(links))
})

afterEach(() => removeThrowAwayFolder(folder))

describe('the programs of the package', () => {
  it('are used where they lie, and missing links between libraries are made', () => {
    expect(usableNative(native, undefined, folder)).toBe(native)
    expect(fs.readFileSync(path.join(native, 'lib', 'libpq.so.5'), 'utf8')).toBe('a library')
  })

  it('are copied once for a user who may not run them there, links included', () => {
    const stranger = { uid: 54321, gid: 54321 }
    const copy = usableNative(native, stranger, path.join(folder, 'copies'))
    expect(copy).toBe(path.join(folder, 'copies', 'native-1.2.3'))
    expect(fs.readlinkSync(path.join(copy, 'lib', 'libpq.so.5'))).toBe('libpq.so.5.18')
    expect(fs.statSync(path.join(copy, 'bin', 'postgres')).mode & 0o777).toBe(0o755)
    const made = fs.statSync(copy).ino
    expect(usableNative(native, stranger, path.join(folder, 'copies'))).toBe(copy)
    expect(fs.statSync(copy).ino).toBe(made)
  })

  it('of this machine come with the package', () => {
    expect(fs.existsSync(path.join(packagedNative(), 'share'))).toBe(true)
  })
})
