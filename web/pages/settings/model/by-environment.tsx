import { Copied } from '../../../parts/copied'
import { say } from '../../../texts/say'

const ways = [
  ['settings.model.anthropic', 'ANTHROPIC_API_KEY=sk-ant-…'],
  ['settings.model.bedrock', 'MODEL_PROVIDER=bedrock\nAWS_REGION=eu-west-1\nANTHROPIC_MODEL=eu.anthropic.…'],
  ['settings.model.vertex', 'MODEL_PROVIDER=vertex\nCLOUD_ML_REGION=global\nANTHROPIC_VERTEX_PROJECT_ID=…\nANTHROPIC_MODEL=…'],
  ['settings.model.compatible', 'ANTHROPIC_BASE_URL=http://…\nANTHROPIC_MODEL=…\nMODEL_PRICES={…}']
] as const

/** The other way: variables of the process, for whoever runs Steward. */
export const ByEnvironment = () => <details>
  <summary>{say('settings.model.environment')}</summary>
  <div class='stack'>
    <p class='muted'>{say('settings.model.environment.words')}</p>
    {ways.map(([title, lines]) => <section class='stack tight' key={title}>
      <h3>{say(title)}</h3>
      <Copied label={say('settings.model.lines')} text={lines} lines />
    </section>)}
  </div>
</details>
