import { problemOf } from '../../api/problem'
import { Inbox } from '../../parts/icons'
import { List } from '../../parts/list'
import { Notice, ProblemNotice } from '../../parts/notice'
import { PartMenu } from '../../parts/part-menu'
import { Pipeline } from '../../parts/pipeline'
import { Cause, explainProblem, Faults, PageButton } from '../../parts/problem-words'
import { PartialNotice } from '../../parts/sources'
import { Empty, Loading } from '../../parts/states'
import { Part } from './part'

const problem = problemOf({
  code: 'plan_unavailable',
  title: 'The plan could not be made',
  status: 503,
  detail: 'The source did not answer',
  request_id: 'req-1'
}, new Response(null, { status: 503 }))
const refused = explainProblem(problemOf({
  code: 'tool_call_refused',
  title: 'The call was refused',
  status: 422,
  detail: 'Nothing was asked',
  cause: { code: 'approvals_pending', status: 409, detail: 'Two approvals wait' },
  errors: [{ pointer: '/desired_count', code: 'maximum', message: 'must be at most 500' }]
}, new Response(null, { status: 422 })))
const nothing = () => Promise.resolve()
const data = { items: ['One', 'Two'], next_cursor: null }
const pages = { data, problem: undefined, loading: false, reload: nothing }

/** What stands for the state of a page, or of a part of it. */
export const States = () => <>
  <Part name='states'><Loading /><Empty icon={Inbox} title='Nothing here'><p>What belongs here.</p></Empty></Part>
  <Part name='notice'>
    {(['info', 'good', 'warn', 'bad'] as const).map((tone) =>
      <Notice key={tone} tone={tone}>A notice: {tone}.</Notice>)}
    <Notice action={<button type='button'>An action of the notice</button>}>A notice with something to do.</Notice>
    <ProblemNotice problem={problem} retry={nothing} />
  </Part>
  <Part name='problem-words'>
    {refused.cause && <Cause of={refused.cause} />}
    <Faults of={refused.faults} />
    <PageButton of={refused} />
  </Part>
  <Part name='sources'>
    <PartialNotice
      of={{
        partial: true,
        errors: [{ account_id: 'a', region: 'eu-west-1', code: 'timeout', detail: 'No answer', aws_request_id: null }]
      }}
    />
  </Part>
  <Part name='pipeline'>
    <Pipeline
      label='Stages' stages={[
        { name: 'Checkout', state: 'done', note: '2 s' }, { name: 'Build', state: 'running' },
        { name: 'Deploy', state: 'failed' }, { name: 'Verify', state: 'next' }
      ]}
    />
  </Part>
  <Part name='part-menu'>
    <PartMenu
      label='Parts of this page' current='/components'
      groups={[
        { title: 'For everybody', items: [['Components', '/components']] },
        { title: 'Apart', items: [['Chat', '/chat']] }
      ]}
    />
  </Part>
  <Part name='list'>
    <List of={{ ...pages, items: ['One', 'Two'], more: nothing }} empty='Nothing'>
      {(items) => <ul>{items.map((item) => <li key={item}>{item}</li>)}</ul>}
    </List>
  </Part>
</>
