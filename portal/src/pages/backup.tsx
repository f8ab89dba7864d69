// One backup of a register's month or quarter, with its proof.
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { call, linkOf } from '../api/client.js'
import { useText } from '../text/index.js'
import { Facts } from '../ui/facts.js'
import { Loaded } from '../ui/list.js'

export function Page() {
  const t = useText()
  const { backupId = '' } = useParams()
  const path = { id: backupId }
  const found = useQuery({
    queryKey: ['getBackup', backupId],
    queryFn: () => call('getBackup', { path }),
  })
  return (
    <>
      <p>
        <Link to="/exports">← {t.exports.title}</Link>
      </p>
      <Loaded isPage query={found}>
        {(backup) => (
          <>
            <div className="head">
              <h1>
                {backup.identification} {backup.period}
              </h1>
              <Link className="button" to={`/queues/${backup.queueId}`}>
                {t.queues.register}
              </Link>
              {backup.object !== null && (
                <a className="button" href={linkOf('getBackupContent', { path })} download>
                  {t.jobs.download}
                </a>
              )}
            </div>
            <Facts of={backup} leave={['identification', 'period']} />
          </>
        )}
      </Loaded>
    </>
  )
}
