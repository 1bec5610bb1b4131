import { useSignal } from '@preact/signals'
import { api, body, type Schemas } from '../../../api/client'
import { useResource } from '../../../api/resource'
import { Badge } from '../../../parts/badge'
import { Notice } from '../../../parts/notice'
import { Loaded } from '../../../parts/states'
import { Time } from '../../../parts/time'
import { UnifiedDiff } from '../../../parts/unified-diff'
import { Editor } from './editor'
import { Replay } from './replay'
import { Versions } from './versions'

type Policies = Schemas['Policies']

const Holds = ({ of }: { of: Policies['enabled'] }) => <p>
  {of === null || of.text === ''
    ? <>No policies hold: one person approves each write of the assistant.</>
    : <><Badge tone='good'>version {of.version} holds</Badge> since <Time at={of.enabled_at} />.</>}
</p>

const Words = () => {
  const schema = useResource([], (signal) => body(api.GET('/account/policies/schema', { signal })))
  return <Loaded of={schema}>{({ schema: text }) => <pre class='block' tabIndex={0}>{text}</pre>}</Loaded>
}

/** The schema, which is made of the tools that write; read when it is opened. */
const Vocabulary = () => {
  const isOpen = useSignal(false)
  return (
    <details onToggle={({ currentTarget }) => { isOpen.value = currentTarget.open }}>
      <summary>What policies may say</summary>
      {isOpen.value && <Words />}
    </details>
  )
}

/** What needs an approval, by whom, and what is never done. */
export default function PoliciesPart () {
  const policies = useResource([], (signal) => body(api.GET('/account/policies', { signal })))
  const done = useSignal('')
  const { reload } = policies
  return (
    <div class='stack'>
      <Loaded of={policies}>{(now) => <>
        <Holds of={now.enabled} />
        {done.value !== '' && <Notice tone='good'>{done.value}</Notice>}
        <Editor
          policies={now} onStale={reload} onSaved={() => {
            done.value = ''
            reload()
          }}
        />
        <Vocabulary />
        {now.draft && <>
          {now.draft.diff !== '' && <section class='card stack' aria-label='Difference from what holds'>
            <h2>Difference from what holds</h2>
            <UnifiedDiff text={now.draft.diff} label='Changes of the draft' />
          </section>}
          <Replay
            key={now.draft.digest} draft={now.draft} onReplayed={reload} onEnabled={() => {
              done.value = 'The draft holds now, at every instance.'
              reload()
            }}
          />
        </>}
        <Versions current={now.enabled?.version ?? 0} />
      </>}
      </Loaded>
    </div>
  )
}
