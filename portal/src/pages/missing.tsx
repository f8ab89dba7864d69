// An address of the portal that there is not.
import { Link } from 'react-router'
import { useText } from '../text/index.js'
import { Empty } from '../ui/states.js'

export function Page() {
  const t = useText()
  return (
    <>
      <h1>404</h1>
      <Empty title={t.common.nothingFound}>
        <Link to="/">{t.nav.problems}</Link>
      </Empty>
    </>
  )
}
