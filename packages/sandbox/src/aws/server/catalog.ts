import { autoscalingOperations } from '../autoscaling/index.js'
import type { Operation } from '../core/operation.js'
import { cloudwatchOperations } from '../cloudwatch/index.js'
import { codebuildOperations } from '../codebuild/index.js'
import { costOperations } from '../costs/index.js'
import { ecrOperations } from '../ecr/index.js'
import { ecsOperations } from '../ecs/index.js'
import { lambdaOperations } from '../lambda/index.js'
import { logOperations } from '../logs/index.js'
import { stsOperations } from '../sts/index.js'

export type Protocol = 'json' | 'rest' | 'query'

export interface ServiceEntry {
  /** The name in the signature's scope. */
  name: string
  protocol: Protocol
  /** The prefix of the operation in X-Amz-Target. */
  target?: string
  /** The version of the JSON protocol; 1.1 when absent. */
  json?: '1.0'
  operations: Record<string, Operation>
  codes: ServiceCodes
}

/** The service's names of the common errors. */
export interface ServiceCodes {
  throttled: [code: string, status: number]
  failed: [code: string, status: number]
}

const JSON_THROTTLED: ServiceCodes['throttled'] = ['ThrottlingException', 400]

export const CATALOG: Record<string, ServiceEntry> = {
  ecs: {
    name: 'ecs',
    protocol: 'json',
    target: 'AmazonEC2ContainerServiceV20141113',
    operations: ecsOperations,
    codes: { throttled: JSON_THROTTLED, failed: ['ServerException', 500] }
  },
  ecr: {
    name: 'ecr',
    protocol: 'json',
    target: 'AmazonEC2ContainerRegistry_V20150921',
    operations: ecrOperations,
    codes: { throttled: JSON_THROTTLED, failed: ['ServerException', 500] }
  },
  codebuild: {
    name: 'codebuild',
    protocol: 'json',
    target: 'CodeBuild_20161006',
    operations: codebuildOperations,
    codes: { throttled: JSON_THROTTLED, failed: ['InternalServerException', 500] }
  },
  monitoring: {
    name: 'monitoring',
    protocol: 'json',
    json: '1.0',
    target: 'GraniteServiceVersion20100801',
    operations: cloudwatchOperations,
    codes: { throttled: ['ThrottlingException', 400], failed: ['InternalServiceFault', 500] }
  },
  logs: {
    name: 'logs',
    protocol: 'json',
    target: 'Logs_20140328',
    operations: logOperations,
    codes: { throttled: JSON_THROTTLED, failed: ['ServiceUnavailableException', 500] }
  },
  ce: {
    name: 'ce',
    protocol: 'json',
    target: 'AWSInsightsIndexService',
    operations: costOperations,
    codes: { throttled: ['LimitExceededException', 400], failed: ['InternalServerException', 500] }
  },
  'application-autoscaling': {
    name: 'application-autoscaling',
    protocol: 'json',
    target: 'AnyScaleFrontendService',
    operations: autoscalingOperations,
    codes: { throttled: JSON_THROTTLED, failed: ['InternalServiceException', 500] }
  },
  lambda: {
    name: 'lambda',
    protocol: 'rest',
    operations: lambdaOperations,
    codes: { throttled: ['TooManyRequestsException', 429], failed: ['ServiceException', 500] }
  },
  sts: {
    name: 'sts',
    protocol: 'query',
    operations: stsOperations,
    codes: { throttled: ['Throttling', 400], failed: ['InternalFailure', 500] }
  }
}
