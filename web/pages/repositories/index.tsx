import { FolderGit2 } from '../../parts/icons'
import { Link } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { Badge } from '../../parts/badge'
import { List } from '../../parts/list'
import { PageHead } from '../../parts/page-head'
import { Empty } from '../../parts/states'
import { Table } from '../../parts/table'
import { Time } from '../../parts/time'
import { useFilters } from '../../shell/location'

type Repository = Schemas['Repository']

const Row = ({ repository }: { repository: Repository }) => <tr>
  <td><Link href={`/repositories/${repository.id}`}>{repository.full_name}</Link>
    <div class='small muted'>{repository.description}</div>
  </td>
  <td><div class='row tight'>
    {repository.private && <Badge>private</Badge>}{repository.archived && <Badge tone='warn'>archived</Badge>}
    {repository.sync.state !== 'live' && <Badge tone='warn'>{repository.sync.state}</Badge>}
  </div>
  </td>
  <td>{repository.language ?? '–'}</td>
  <td class='nowrap'><Time at={repository.pushed_at} /></td>
</tr>

const NoRepositories = ({ q }: { q: string }) => <Empty
  icon={FolderGit2}
  title={q ? 'Nothing found' : 'No repositories'}
>
  <p>{q ? `No repository has “${q}” in its name.` : 'Your code host shows you no repository yet.'}</p>
</Empty>

export default function RepositoriesPage () {
  const { q } = useFilters(['q'])
  const repositories = usePages<Repository>([q.value], (cursor, signal) => body(api.GET('/codehost/repos',
    { params: { query: { limit: 50, cursor, q: q.value || undefined } }, signal })))
  return (
    <div class='page'>
      <PageHead title='Repositories'>What you may see on the code host.</PageHead>
      <label class='field form'><span>Find by name</span>
        <input type='search' value={q.value} onChange={(event) => { q.value = event.currentTarget.value.trim() }} />
      </label>
      <section class='card flush' aria-label='Repositories'>
        <List of={repositories} empty={<NoRepositories q={q.value} />}>
          {(items) => <Table columns={['Repository', 'Kind', 'Language', 'Pushed']}>
            {items.map((repository) => <Row key={repository.id} repository={repository} />)}
          </Table>}
        </List>
      </section>
    </div>
  )
}
