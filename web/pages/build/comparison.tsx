import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { formatState } from '../../parts/badge'
import { ListChoice } from '../../parts/list-choice'
import { ProblemNotice } from '../../parts/notice'
import { Table } from '../../parts/table'
import { formatDuration } from '../../parts/time'
import { useFilters } from '../../shell/location'
import { nameOf, secondsOf } from './stages'
import '../../parts/diff.css'
import { say } from '../../texts/say'
import { translate } from '../../texts/translate'

type Build = Schemas['Build']

const most = 50
const nothing = '–'

const formatSeconds = (seconds: number | undefined): string =>
  seconds === undefined ? nothing : formatDuration(seconds)

/** @returns what is compared, as a person reads it */
const rowsOf = (build: Build): [label: string, value: string][] => [
  [say('build.status'), formatState(build.status)],
  [say('build.why'), build.status_reason ? translate('logs', build.status_reason) : nothing],
  [say('build.startedBy'), `${formatState(build.trigger)}, ${build.actor}`],
  [say('build.ref'), build.ref],
  [say('build.commit'), build.commit?.slice(0, 7) ?? nothing],
  [say('build.message'), build.commit_message?.split('\n')[0] ?? nothing],
  [say('build.image'), build.image ?? nothing],
  [say('build.digest'), build.image_digest ?? nothing],
  [say('build.took'), formatSeconds(build.duration_ms === null ? undefined : build.duration_ms / 1_000)],
  ...build.steps.map((step): [string, string] =>
    [nameOf(step.name), `${formatState(step.status)}, ${formatSeconds(secondsOf(step))}`])
]

const Same = () => <span class='muted'>{say('build.same')}</span>

/** Two builds side by side; what differs is marked. */
const Beside = ({ one, other }: { one: Build, other: Build }) => {
  const [before, after] = [new Map(rowsOf(one)), new Map(rowsOf(other))]
  return (
    <Table cards={false} columns={['', `#${one.number}`, `#${other.number}`]}>
      {[...new Set([...before.keys(), ...after.keys()])].map((label) => {
        const [value = nothing, next = nothing] = [before.get(label), after.get(label)]
        return (
          <tr key={label}>
            <th scope='row'>{label}</th>
            <td>{value}</td>
            <td>{next === value ? <Same /> : <mark class='changed'>{next}</mark>}</td>
          </tr>
        )
      })}
    </Table>
  )
}

/** A choice of another build of the app, and what differs between the two; the choice is in the address. */
export const Comparison = ({ build }: { build: Build }) => {
  const { with: chosen } = useFilters(['with'])
  const builds = useResource([build.app_id], (signal) => body(api.GET('/deployments/apps/{app_id}/builds',
    { params: { path: { app_id: build.app_id }, query: { limit: most } }, signal })))
  const others = (builds.data?.items ?? []).filter(({ id }) => id !== build.id)
  const other = useResource([chosen.value], async (signal) => chosen.value === ''
    ? undefined
    : body(api.GET('/deployments/apps/{app_id}/builds/{build_id}',
      { params: { path: { app_id: build.app_id, build_id: chosen.value } }, signal })))
  if (others.length === 0 && chosen.value === '') return null
  const options = Object.fromEntries(others.map(({ id, number, status, commit, ref }) =>
    [id, `#${number}, ${formatState(status)}, ${commit?.slice(0, 7) ?? ref}`]))
  return (
    <section class='card stack' aria-label={say('build.comparison')}>
      <div class='form'>
        <ListChoice label={say('build.compare')} value={chosen} options={options} none={say('app.choose')} />
      </div>
      {other.problem && <ProblemNotice problem={other.problem} />}
      {other.data && <Beside one={build} other={other.data} />}
    </section>
  )
}
