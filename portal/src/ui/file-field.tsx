// Choosing a file, or dropping it.
import { useId } from 'react'

interface Props {
  label: string
  accept: string
  onFile(file: File): Promise<unknown>
}

export function FileField({ label, accept, onFile }: Props) {
  const id = useId()
  return (
    <label className="field" htmlFor={id}>
      <span>{label}</span>
      <input
        id={id}
        type="file"
        accept={accept}
        onChange={(event) => {
          const [file] = event.target.files ?? []
          // the same file may be chosen again
          event.target.value = ''
          if (file !== undefined) void onFile(file)
        }}
      />
    </label>
  )
}
