import { formatLabel, formatName } from '../parts/label'
import { operationOf } from '../results/registry'
import type { Shown } from './approval'
import { say, sayWith } from '../texts/say'

/** How a target is named that is not there yet. */
const newMark = /^new:/

/** What the change is done to, and what can go wrong with it, where the pages of its kind know. */
export const Stakes = ({ name, shown: { target, risk, ...shown } }: { name: string, shown: Shown }) => {
  const { environment, region } = target?.within ?? {}
  const why = operationOf(name).why?.({ ...shown, risk })
  if (!target && why === undefined) return null
  return (
    <dl class='stakes small'>
      {target && <>
        <dt>{say('stakes.target')}</dt>
        <dd>{formatLabel(target.kind)} <strong>{formatName(target.id.replace(newMark, ''))}</strong>
          {newMark.test(target.id) && <> ({say('stakes.new')})</>}
          {environment && <> {sayWith('stakes.in', { environment: <strong>{environment}</strong> })}</>}
          {region && !target.id.includes(region) && <> ({region})</>}
        </dd>
      </>}
      {why !== undefined && <><dt>{say('stakes.why')}</dt><dd>{why}</dd></>}
    </dl>
  )
}
