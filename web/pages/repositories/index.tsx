import { FolderGit2 } from '../../parts/icons'
import { Link } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { Badge, formatState } from '../../parts/badge'
import { List } from '../../parts/list'
import { PageHead } from '../../parts/page-head'
import { Empty } from '../../parts/states'
import { Table } from '../../parts/table'
import { Time } from '../../parts/time'
import { useFilters } from '../../shell/location'
import { say } from '../../texts/say'

type Repository = Schemas['Repository']

/** Without webhooks it is read when its page opens: nothing is wrong, but no push begins a build. */
const Sync = ({ state }: { state: Repository['sync']['state'] }) => {
  if (state === 'live') return null
  return state === 'disconnected'
    ? <Badge>{say('repository.noWebhooks')}</Badge>
    : <Badge tone='warn'>{formatState(state)}</Badge>
}

const Row = ({ repository }: { repository: Repository }) => <tr>
  <td><Link href={`/repositories/${repository.id}`}>{repository.full_name}</Link>
    <div class='small muted'>{repository.description}</div>
  </td>
  <td><div class='row tight'>
    {repository.private && <Badge>{say('repository.private')}</Badge>}
    {repository.archived && <Badge tone='warn'>{say('repository.archived')}</Badge>}
    <Sync state={repository.sync.state} />
  </div>
  </td>
  <td>{repository.language ?? '–'}</td>
  <td class='nowrap'><Time at={repository.pushed_at} /></td>
</tr>

const NoRepositories = ({ q }: { q: string }) => <Empty
  icon={FolderGit2}
  title={q ? say('repository.unfound') : say('repository.none')}
>
  <p>{q ? say('repository.unfound.words', { words: q }) : say('repository.none.words')}</p>
</Empty>

export default function RepositoriesPage () {
  const { q } = useFilters(['q'])
  const repositories = usePages<Repository>([q.value], (cursor, signal) => body(api.GET('/codehost/repos',
    { params: { query: { limit: 50, cursor, q: q.value || undefined } }, signal })))
  return (
    <div class='page'>
      <PageHead title={say('nav.repositories')} guide='code-host'>{say('repository.words')}</PageHead>
      <div class='filters'>
        <label class='field grow'><span>{say('repository.find')}</span>
          <input type='search' value={q.value} onChange={(event) => { q.value = event.currentTarget.value.trim() }} />
        </label>
      </div>
      <section class='card flush' aria-label={say('nav.repositories')}>
        <List of={repositories} empty={<NoRepositories q={q.value} />}>
          {(items) => <Table
            columns={[
              say('app.repository'), say('repository.kind'), say('repository.language'), say('repository.pushed')
            ]}
          >
            {items.map((repository) => <Row key={repository.id} repository={repository} />)}
          </Table>}
        </List>
      </section>
    </div>
  )
}
