import { GitCommitHorizontal } from '../../parts/icons'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { Badge } from '../../parts/badge'
import { List } from '../../parts/list'
import { Empty } from '../../parts/states'
import { Table } from '../../parts/table'
import { Time } from '../../parts/time'
import { HostLink } from './host-link'

type Commit = Schemas['Commit']

const tones = { verified: 'good', unverified: 'plain', unknown: 'plain' } as const

/** What a commit says beyond its first line, and who made it. */
const Opened = ({ commit: { sha, message, message_truncated: isCut, author, committer, parents, ...rest } }:
{ commit: Commit }) => {
  const text = message.split('\n').slice(1).join('\n').trim()
  return (
    <div class='stack tight small'>
      {text !== '' && <div class='written'>{text}{isCut && ' …'}</div>}
      <dl class='facts'>
        <dt>Commit</dt><dd><code>{sha}</code></dd>
        <dt>Author</dt><dd>{author.name ?? author.login ?? '–'} <Time at={author.date} /></dd>
        {committer.name !== author.name && <><dt>Committer</dt><dd>{committer.name ?? committer.login ?? '–'}</dd></>}
        <dt>Parents</dt><dd><code>{parents.map((parent) => parent.slice(0, 7)).join(', ') || 'none'}</code></dd>
        <dt>Signature</dt><dd><Badge tone={tones[rest.verified.state]}>{rest.verified.state}</Badge></dd>
      </dl>
      <HostLink class='button small' href={rest.html_url}>Open on the code host</HostLink>
    </div>
  )
}

const Row = ({ commit }: { commit: Commit }) => <tr>
  <td class='mono'>{commit.sha.slice(0, 7)}</td>
  <td><details><summary>{commit.headline}</summary><Opened commit={commit} /></details></td>
  <td class='nowrap'>{commit.author.name ?? '–'}</td>
  <td class='nowrap'><Time at={commit.author.date} /></td>
</tr>

/** The commits of the default branch; each opens in its place. */
export const Commits = ({ id }: { id: string }) => {
  const commits = usePages<Commit>([id], (cursor, signal) => body(api.GET(
    '/codehost/repos/{repo_id}/commits', { params: { path: { repo_id: id }, query: { limit: 30, cursor } }, signal })))
  return (
    <List of={commits} empty={<Empty icon={GitCommitHorizontal} title='No commits yet' />}>
      {(items) => <Table columns={['Commit', 'What', 'Author', 'When']}>
        {items.map((commit) => <Row key={commit.sha} commit={commit} />)}
      </Table>}
    </List>
  )
}
