import { keysOf } from '../keys.js'
export type Partition = 'aws' | 'aws-cn' | 'aws-us-gov'

const commercial = ['af-south-1', 'ap-east-1', 'ap-east-2', 'ap-northeast-1', 'ap-northeast-2', 'ap-northeast-3',
  'ap-south-1', 'ap-south-2', 'ap-southeast-1', 'ap-southeast-2', 'ap-southeast-3', 'ap-southeast-4', 'ap-southeast-5',
  'ap-southeast-6', 'ap-southeast-7', 'ca-central-1', 'ca-west-1', 'eu-central-1', 'eu-central-2', 'eu-north-1',
  'eu-south-1', 'eu-south-2', 'eu-west-1', 'eu-west-2', 'eu-west-3', 'il-central-1', 'me-central-1', 'me-south-1',
  'mx-central-1', 'sa-east-1', 'us-east-1', 'us-east-2', 'us-west-1', 'us-west-2']

const partitions: Record<Partition, string[]> = {
  'aws': commercial,
  'aws-cn': ['cn-north-1', 'cn-northwest-1'],
  'aws-us-gov': ['us-gov-east-1', 'us-gov-west-1']
}

/** @returns the partition that holds the region; undefined when AWS has no such region */
export const partitionOf = (region: string): Partition | undefined =>
  keysOf(partitions).find((partition) => partitions[partition].includes(region))

/** @returns the console's host of a partition */
export const consoleOf = (partition: string, region: string): string => {
  if (partition === 'aws-cn') return `https://${region}.console.amazonaws.cn`
  return partition === 'aws-us-gov'
    ? `https://${region}.console.amazonaws-us-gov.com`
    : `https://${region}.console.aws.amazon.com`
}
