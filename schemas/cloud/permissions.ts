/**
 * The IAM actions that Steward calls, by the policy that grants them: what setup prints, what docs/cloud-accounts.md
 * lists, what the account test tries and what the code sends are this list, and test/guards/permissions.deep.ts
 * compares them.
 */
export const permissions = {
  read: ['ecs:ListClusters', 'ecs:DescribeClusters', 'ecs:ListServices', 'ecs:DescribeServices', 'ecs:ListTasks',
    'ecs:DescribeTasks', 'ecs:DescribeTaskDefinition', 'ecs:ListServiceDeployments', 'ecs:DescribeServiceDeployments',
    'ecs:DescribeServiceRevisions', 'application-autoscaling:DescribeScalableTargets', 'lambda:ListFunctions',
    'lambda:GetFunction', 'lambda:GetFunctionConfiguration', 'lambda:ListAliases',
    'ecr:DescribeImages', 'ecr:DescribePullThroughCacheRules'],
  costs: ['ce:GetCostAndUsage', 'ce:GetCostForecast', 'ce:GetAnomalies', 'ce:GetTags'],
  deploy: ['ecs:UpdateService', 'ecs:StopServiceDeployment', 'ecs:RegisterTaskDefinition', 'ecs:TagResource',
    'application-autoscaling:RegisterScalableTarget', 'lambda:UpdateFunctionCode', 'iam:PassRole'],
  invoke: ['lambda:InvokeFunction'],
  logs: ['logs:FilterLogEvents']
} as const
