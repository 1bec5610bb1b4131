import { Plus } from '../../parts/icons'
import { sentenceOf } from './edit-story'
import { EditButton } from './part-head'
import type { Written } from './index'
import { say } from '../../texts/say'

/** The stories; a person can edit and add them. */
export const Stories = ({ version: { document }, edit }: Written) => <section
  class='card stack tight' aria-label={say('spec.stories')}
>
  <div class='row spread'><h2>{say('spec.stories')}</h2>
    <button type='button' class='small' onClick={() => { edit('stories') }}>
      <Plus size={14} aria-hidden='true' />{say('spec.story.add')}
    </button>
  </div>
  <ul>{document.stories.map((story) => <li key={story.id}>
    <code>{story.id}</code> {sentenceOf(story)}
    {!story.locked && <EditButton label={say('spec.edit', { name: story.id })} onEdit={() => { edit(story.id) }} />}
  </li>)}
  </ul>
</section>
