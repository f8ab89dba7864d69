// A button that opens a dialog for those who may change things; to others it says what they lack.
import { useRole } from '../api/session.js'
import { useText } from '../text/index.js'
import { Disabled } from '../ui/buttons.js'

export function Allowed({ label, onOpen }: { label: string; onOpen(): void }) {
  const t = useText()
  const { mayWrite } = useRole()
  if (!mayWrite) return <Disabled why={t.why.role(t.company.roles.Member)}>{label}</Disabled>
  return (
    <button type="button" aria-haspopup="dialog" onClick={onOpen}>
      {label}
    </button>
  )
}
