import { formatLabel, formatName } from '../parts/label'
import type { Shown } from './approval'
import { sayReasons } from './risk-reasons'
import { say, sayWith } from '../texts/say'

/** How a target is named that is not there yet. */
const newMark = /^new:/

/** What the change is done to, and what can go wrong with it. */
export const Stakes = ({ shown }: { shown: Shown }) => {
  const { target } = shown
  const { environment, region } = target?.within ?? {}
  const reasons = sayReasons(shown)
  if (!target && reasons.length === 0) return null
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
      {reasons.length > 0 && <><dt>{say('stakes.why')}</dt><dd>{reasons.join(' ')}</dd></>}
    </dl>
  )
}
