// Moments as people say them: how long ago, with the exact one on demand.
import { useSpeech } from '../text/index.js'

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

export function relative(date: Date, language: string): string {
  const seconds = (date.getTime() - Date.now()) / 1000
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) >= size) return format.format(Math.trunc(seconds / size), unit)
  }
  return format.format(Math.trunc(seconds), 'second')
}

export function Moment({ at }: { at: string | null | undefined }) {
  const { language, t } = useSpeech()
  if (at == null) return <>{t.ago.never}</>
  const date = new Date(at)
  const exact = date.toLocaleString(language, { dateStyle: 'medium', timeStyle: 'long' })
  return (
    <time dateTime={at} title={exact}>
      {relative(date, language)}
    </time>
  )
}

export function Day({ at }: { at: string | null | undefined }) {
  const { language } = useSpeech()
  if (at == null) return null
  const text = new Date(at).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' })
  return <time dateTime={at}>{text}</time>
}
