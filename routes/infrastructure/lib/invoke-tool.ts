import { defineWriteTool } from '../../../lib/tools/options.js'
import { FunctionParams, InvokeFunction } from '../../../schemas/infrastructure/functions.js'
import { describeFunction, functionTarget, readFunction } from './tool-targets.js'

const verbs = { sync: 'Invoke', async: 'Invoke in the background', dry_run: 'Check that it may be invoked:' } as const

export const invokeTool = defineWriteTool({
  input: { params: FunctionParams, body: InvokeFunction },
  basis: 'The revision and version that would run: what runs is what was there when it was shown',
  async plan (input, read) {
    const { mode = 'sync', qualifier, payload } = input
    const lambda = await readFunction(input.name, read, qualifier)
    const { name, version, state, revision_id } = lambda
    return {
      target: functionTarget(lambda),
      summary: `${verbs[mode]} ${describeFunction(lambda, qualifier)}`,
      changes: [
        { label: 'Function', field: ['qualifier', 'mode'], before: null, after: `${name}, version ${version}` },
        { label: 'State', before: null, after: state ?? 'unknown', binding: false },
        { label: 'Payload', field: 'payload', before: null, after: JSON.stringify(payload) ?? '(none)' }
      ],
      args: { ...input, name: lambda.id },
      facts: { version, revision_id },
      effect: mode === 'dry_run' ? 'read' : 'write',
      risk: 'high'
    }
  }
})
