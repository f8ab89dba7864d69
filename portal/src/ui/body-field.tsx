// A body that is typed, or changed before it is sent.

interface Typing {
  label: string
  value: string
  onChange(value: string): void
}

export function BodyField({ label, value, onChange }: Typing) {
  return (
    <label className="field">
      <span>{label}</span>
      <textarea
        value={value}
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  )
}
