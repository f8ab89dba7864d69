// One line of the doctor.

export interface Check {
  name: string
  state: 'ok' | 'warn' | 'bad'
  /** What was found, never a secret. */
  text: string
  /** What to do; null where all is well. */
  next: string | null
}

/** name, state, text, next. */
export function check(...parts: [string, Check['state'], string, string?]): Check {
  const [name, state, text, next] = parts
  return { name, state, text, next: state === 'ok' ? null : (next ?? null) }
}

const WIDTH = 14

export function line({ name, state, text, next }: Check): string {
  const first = `${state.padEnd(5)} ${name.padEnd(WIDTH)} ${text}`
  return next === null ? first : `${first}\n${' '.repeat(6 + WIDTH)} -> ${next}`
}
