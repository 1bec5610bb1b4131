import { api, body, type Schemas } from '../../api/client'
import { ActionButton } from '../../parts/action-button'
import { say } from '../../texts/say'

type Content = Schemas['Content']
type Suggestion = Schemas['ContentSuggestion']
interface Props { content: Content, onChange: () => void }

const Side = ({ title, text }: { title: string, text: string }) => <section class='stack tight'>
  <h3 class='small muted'>{title}</h3>
  <p class='marked-text'>{text}</p>
</section>

const One = ({ content, suggestion, onChange }: Props & { suggestion: Suggestion }) => {
  const { id, target, before, text } = suggestion
  const decide = (accept: boolean) => async () => {
    // Sends the revision on the screen, so that an unseen change is not replaced.
    const header = { 'If-Match': `"r${content.revision}"` }
    const params = { path: { content_id: content.id, suggestion_id: id }, header }
    await body(api.POST('/content/{content_id}/suggestions/{suggestion_id}', { params, body: { accept } }))
    onChange()
  }
  return (
    <article class='stack tight' aria-label={say('content.suggestion.of', { target })}>
      <h3><code>{target}</code></h3>
      <div class='beside even'>
        <Side title={say('content.suggestion.before')} text={before} />
        <Side title={say('content.suggestion.after')} text={text} />
      </div>
      <div class='row tight'>
        <ActionButton
          variant='small primary' label={say('content.suggestion.accept', { target })} act={decide(true)}
        >{say('common.accept')}
        </ActionButton>
        <ActionButton variant='small' label={say('content.suggestion.dismiss', { target })} act={decide(false)}>
          {say('content.dismiss')}
        </ActionButton>
      </div>
    </article>
  )
}

/** The model's suggestions for texts that a person wrote, until a person decides on them. */
export const Suggestions = ({ content, onChange }: Props) => {
  const open = content.suggestions.filter(({ status }) => status === 'open')
  if (open.length === 0) return null
  return (
    <section class='card stack' aria-label={say('content.suggestions')}>
      <header>
        <h2>{say('content.suggestions')}</h2>
        <span class='small muted'>{say('content.suggestions.words')}</span>
      </header>
      {open.map((one) => <One key={one.id} content={content} suggestion={one} onChange={onChange} />)}
    </section>
  )
}
