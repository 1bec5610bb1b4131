import type { ComponentChildren } from 'preact'
import type { Action } from '../api/action'
import { Form } from './form'
import { Notice, ProblemNotice } from './notice'

interface Props {
  title: string
  verb: string
  action: Action<[]>
  children: ComponentChildren
}

/** A row of fields that creates an entry of the list below. */
export const FormCard = ({ title, verb, action: { run, busy, problem }, children }: Props) => <section
  class='card stack' aria-label={title}
>
  <h2>{title}</h2>
  <Form class='fields' onSubmit={() => run()}>
    {children}
    <button class='primary' disabled={busy}>{verb}</button>
  </Form>
  {problem && <ProblemNotice problem={problem} />}
</section>

/** A secret that Steward shows only once. */
export const ShownOnce = ({ text, children }: { text: string | undefined, children: ComponentChildren }) => !text
  ? null
  : <Notice tone='good'>{children}<pre class='block' tabIndex={0}>{text}</pre></Notice>
