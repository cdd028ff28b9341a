import Contracts
import Delivery
import Domain

/// `counterfoil.consent.lookup.v1`: this partition's buyers with the account are told to the app's server.
///
/// The ledger and the claims stay as they are: what was paid was paid.
struct OnConsentLookup {
    func callAsFunction(
        _ message: Event<ConsentLookupV1>,
        in context: inout HandlerContext
    ) throws -> Outcome {
        let lookup = message.data
        let buyers = try ClaimStore(connection: context.connection).holders(withAccountOf: lookup)
        guard lookup.isAlwaysTold || !buyers.isEmpty else { return .applied }
        let partition = context.address.partition
        let id = DerivedID.hexadecimal(["rescinded", lookup.notificationUUID, String(partition)])
        try context.send(
            ConsentRescindedV1(
                bundleId: lookup.bundleId,
                environment: lookup.environment,
                appTransactionId: lookup.appTransactionId,
                rescindedAt: lookup.rescindedAt,
                buyerIds: buyers
            ),
            stamp: EventStamp(id: EventID(unchecked: id), time: lookup.rescindedAt, cause: nil)
        )
        return .applied
    }
}
