// Content-Disposition of a file to be kept (RFC 6266), safe whatever the name is.

const MOST = 150

/**
 * Control characters, quotes and signs of paths become `-`; what is not ASCII is told a second time
 * as RFC 8187 writes it, for clients of today.
 */
export function attachment(name: string): string {
  const safe = safeName(name)
  const ascii = safe.replace(/[^\x20-\x7e]/gu, '_')
  const plain = `attachment; filename="${ascii}"`
  return ascii === safe ? plain : `${plain}; filename*=UTF-8''${encoded(safe)}`
}

/** The end of a long name stays: the kind of the file stands there. */
function safeName(name: string): string {
  const safe = name
    .toWellFormed()
    .replace(/[\p{C}\p{Zl}\p{Zp}"\\/:*?<>|%;]+/gu, '-')
    .replace(/^[. ]+/, '')
  const all = [...safe]
  const kept = all.length > MOST ? all.slice(-MOST) : all
  return kept.length === 0 ? 'file' : kept.join('')
}

/** encodeURIComponent leaves five characters that RFC 8187 does not. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(/['()*!]/g, (one) => {
    return `%${one.charCodeAt(0).toString(16).toUpperCase()}`
  })
}
