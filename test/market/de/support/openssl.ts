// Checks a log message with OpenSSL's command line alone, as an auditor would do by hand.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Runs `work` with a folder that is gone afterwards. */
export function inFolder<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'fiskalwerk-tse-'))
  try {
    return work(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** What a command prints; what it says when it fails. */
export function run(command: string, args: string[]): string {
  try {
    return execFileSync(command, args, { encoding: 'utf8', stdio: 'pipe' })
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    return `${stdout}${stderr}`
  }
}

export interface Checked {
  der: Buffer
  certificate: Buffer
  hash: 'sha256' | 'sha384'
  signatureBytes: number
}

/** `Verified OK` for a message whose signature fits. */
export function opensslVerdict({ der, certificate, hash, signatureBytes }: Checked): string {
  return inFolder((folder) => {
    const path = (name: string) => join(folder, name)
    writeFileSync(path('log'), der)
    writeFileSync(path('certificate'), certificate)
    const parsed = run('openssl', ['asn1parse', '-inform', 'DER', '-in', path('log')])
    const header = Number(/hl=(\d+)/.exec(parsed)?.[1])
    writeFileSync(path('input'), der.subarray(header, der.length - signatureBytes - 2))
    const signature = der.subarray(der.length - signatureBytes).toString('hex')
    const half = signature.length / 2
    const integers = `r=INTEGER:0x${signature.slice(0, half)}\ns=INTEGER:0x${signature.slice(half)}`
    writeFileSync(path('recipe'), `asn1=SEQUENCE:x\n[x]\n${integers}\n`)
    const made = ['-genconf', path('recipe'), '-out', path('signature'), '-noout']
    run('openssl', ['asn1parse', ...made])
    const key = ['-inform', 'DER', '-in', path('certificate'), '-pubkey', '-noout']
    writeFileSync(path('key'), run('openssl', ['x509', ...key]))
    const check = ['-verify', path('key'), '-signature', path('signature'), path('input')]
    return run('openssl', ['dgst', `-${hash}`, ...check]).trim()
  })
}
