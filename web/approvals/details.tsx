import { Fragment } from 'preact'
import { formatLabel } from '../parts/label'
import { Json } from '../parts/value'
import type { Approval, Shown } from './approval'
import { say, type Key } from '../texts/say'

const Target = ({ target: { kind, id, within = {} } }: { target: NonNullable<Shown['target']> }) => <dl class='facts'>
  <dt>{formatLabel(kind)}</dt><dd class='mono'>{id}</dd>
  {Object.entries(within).map(([name, holder]) => <Fragment key={name}>
    <dt>{formatLabel(name)}</dt><dd class='mono'>{holder}</dd>
  </Fragment>)}
</dl>

const titles: Partial<Record<Approval['status'], Key>> = {
  pending: 'approval.exact.pending', approved: 'approval.exact.approved'
}

interface Props {
  approval: Pick<Approval, 'name' | 'status'>
  shown: Pick<Shown, 'target' | 'arguments'>
  /** Called when the reader has unfolded them. */
  onUnfold?: () => void
}

/** The operation, the canonical ids of its target, and its exact arguments. */
export const Details = ({ approval: { name, status }, shown: { target, arguments: args }, onUnfold }: Props) => <details
  class='small' onToggle={(event) => { if (event.currentTarget.open) onUnfold?.() }}
>
  <summary>{say(titles[status] ?? 'approval.exact.other')}: <code>{name}</code></summary>
  <div class='stack tight'>
    {target && <Target target={target} />}
    <Json value={args} />
  </div>
</details>
