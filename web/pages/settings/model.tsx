import { Copied } from '../../parts/copied'
import { Notice } from '../../parts/notice'
import { me, sandboxed } from '../../shell/session'
import { say } from '../../texts/say'

const ways = [
  ['settings.model.anthropic', 'ANTHROPIC_API_KEY=sk-ant-…'],
  ['settings.model.bedrock', 'MODEL_PROVIDER=bedrock\nAWS_REGION=eu-west-1\nANTHROPIC_MODEL=eu.anthropic.…'],
  ['settings.model.vertex', 'MODEL_PROVIDER=vertex\nCLOUD_ML_REGION=global\nANTHROPIC_VERTEX_PROJECT_ID=…\nANTHROPIC_MODEL=…'],
  ['settings.model.other', 'ANTHROPIC_BASE_URL=http://…\nANTHROPIC_MODEL=…\nMODEL_PRICES={…}']
] as const

/** What answers in the chat, and how another model is connected: by the environment of the process. */
export const Model = () => {
  const isGuided = sandboxed.value.includes('anthropic')
  return (
    <div class='stack'>
      <Notice tone={isGuided ? 'warn' : 'good'}>
        {isGuided ? say('settings.model.none') : say('settings.model.connected')}
      </Notice>
      {me.value?.role !== 'admin' && <p>{say('settings.model.askAdmin')}</p>}
      <p>{say('settings.model.words')}</p>
      {ways.map(([title, lines]) => <section class='card stack tight' key={title}>
        <h3>{say(title)}</h3>
        <Copied label={say('settings.model.lines')} text={lines} lines />
      </section>)}
    </div>
  )
}
