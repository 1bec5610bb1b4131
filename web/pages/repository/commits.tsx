import { GitCommitHorizontal } from '../../parts/icons'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { Badge, formatState } from '../../parts/badge'
import { List } from '../../parts/list'
import { Empty } from '../../parts/states'
import { Table } from '../../parts/table'
import { Time } from '../../parts/time'
import { HostLink } from './host-link'
import { say } from '../../texts/say'

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
        <dt>{say('build.commit')}</dt><dd><code>{sha}</code></dd>
        <dt>{say('repository.author')}</dt><dd>{author.name ?? author.login ?? '–'} <Time at={author.date} /></dd>
        {committer.name !== author.name && <>
          <dt>{say('repository.committer')}</dt><dd>{committer.name ?? committer.login ?? '–'}</dd>
        </>}
        <dt>{say('repository.parents')}</dt>
        <dd><code>{parents.map((parent) => parent.slice(0, 7)).join(', ') || say('repository.parents.none')}</code></dd>
        <dt>{say('repository.signature')}</dt>
        <dd><Badge tone={tones[rest.verified.state]}>{formatState(rest.verified.state)}</Badge></dd>
      </dl>
      <HostLink class='button small' href={rest.html_url}>{say('repository.open')}</HostLink>
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
    <List of={commits} empty={<Empty icon={GitCommitHorizontal} title={say('repository.commits.none')} />}>
      {(items) => <Table
        columns={[say('build.commit'), say('repository.what'), say('repository.author'), say('build.when')]}
      >
        {items.map((commit) => <Row key={commit.sha} commit={commit} />)}
      </Table>}
    </List>
  )
}
