import { defineWriteTool } from '../../../lib/tools/options.js'
import { DeployFunction, FunctionParams } from '../../../schemas/infrastructure/functions.js'
import { FunctionNotDeployable } from './errors.js'
import { describeFunction, functionTarget, readFunction } from './tool-targets.js'

export const deployFunctionTool = defineWriteTool({
  input: { params: FunctionParams, body: DeployFunction },
  basis: 'The revision: Lambda changes it with every change of the function, and any may change what the image does',
  async plan (input, read) {
    const lambda = await readFunction(input.name, read)
    if (lambda.package_type !== 'Image') throw FunctionNotDeployable()
    const revision = lambda.revision_id === null ? {} : { revision_id: lambda.revision_id }
    return {
      target: functionTarget(lambda),
      summary: `${input.dry_run ? 'Check only: deploy' : 'Deploy'} ${input.image} to ${describeFunction(lambda)}`,
      changes: [
        { label: 'Image', field: ['image', 'revision_id', 'dry_run'], before: lambda.image, after: input.image }
      ],
      // Lambda takes the revision as its own condition.
      args: { ...input, name: lambda.id, ...revision },
      facts: { revision_id: lambda.revision_id, image_digest: lambda.image_digest },
      effect: input.dry_run ? 'read' : 'write',
      risk: 'high'
    }
  },
  async reconcile ({ name, image }, read) {
    return (await readFunction(name, read)).image === image ? 'done' : 'unclear'
  }
})
