/** Lambda says with 502 that it could not set the function up: its code did not run. */
const notStarted = /^(KMS|EC2|ENI|SubnetIPAddressLimit|EFS|SnapStart|Invalid(SecurityGroupID|SubnetID|Runtime|ZipFile))/

/** @returns whether AWS's answer shows that nothing was done, although its status is one of a server's errors */
export const isNotStarted = (thrown: unknown): boolean => notStarted.test(thrown instanceof Error ? thrown.name : '')
