package import Contracts
package import Database
package import Delivery

/// A service of a test that has nothing to trace, to measure or to send again.
package protocol BareService: PartitionedService {}

extension BareService {
    package func trace(_ identifiers: Set<String>, in connection: any Connection) -> Trace { Trace() }
    package func gauges(in connection: any Connection, now: Timestamp) -> [String: Double] { [:] }
    package func redrive(
        to target: PartitionAddress,
        after key: [String],
        in context: HandlerContext
    ) -> RedrivePage { .none }
}
