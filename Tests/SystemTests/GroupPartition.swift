import Contracts
import Database

@testable import Delivery
@testable import Entitlements
@testable import Notifications
@testable import Orders
@testable import Receipts

/// One partition of a simulated group: a store that stays, and owners that come and go.
final class GroupPartition {
    /// Deaths of one partition's owners at most, below the number at which an innocent event becomes suspect.
    static let crashBound = 4
    /// Every other partition takes so long to settle, in ms.
    private static let settleDelayMilliseconds: Int64 = 20
    private static let lingerMilliseconds: Int64 = 50

    let address: PartitionAddress
    let store: GroupStore
    var engine: PartitionEngine?
    private(set) var generation = 0
    var crashes = 0
    var inbox: [PartitionInput] = []
    /// Apple's statements on their way in, until they are committed.
    var statements: [Int] = []
    /// When the owner will look at its inbox.
    var wakeAt: Int64?
    /// Until when what it says gives no credit to forward links.
    var withholdsCreditUntil: Int64 = 0
    var fullUntil: Int64 = 0
    /// Whether its store is lost, so that nobody can take it over.
    var isLost = false
    /// How far ahead the owner's clock is, in ms.
    var clockAhead: Int64 = 0

    init(_ address: PartitionAddress, isReplicated: Bool = false) throws {
        self.address = address
        store = try GroupStore(isReplicated: isReplicated)
    }

    func takeOver(_ services: GroupServices, seed: UInt64, at moment: ClockReading) throws -> PartitionOutput
    {
        generation += 1
        try store.claim()
        let mixed = seed &+ UInt64(generation) &* 0x1_0000_0001 &+ UInt64(address.partition) << 20
        var settings = PartitionEngine.Settings(
            address: address,
            partitions: GroupWorld.partitions,
            identifiers: IdentifierSource(seed: mixed ^ UInt64(address.service.order) << 40)
        )
        if !address.partition.isMultiple(of: 2) {
            settings.settleDelayMilliseconds = Self.settleDelayMilliseconds
            settings.lingerMilliseconds = Self.lingerMilliseconds
        }
        let next = try services.engine(settings, store, at: moment.now)
        let output = try next.takeOver(at: moment)
        if services.ownsSinceEver { next.state.ownedSince = Timestamp(milliseconds: 0) }
        engine = next
        return output
    }

    /// Why events are delayed; for messages.
    var delayedEvents: [String] {
        do {
            let rows = try store.read("SELECT type || ': ' || reason AS line FROM delayed_event")
            return try rows.map { row in try row["line"] }
        } catch {
            return ["\(error)"]
        }
    }

    /// Whether nothing is unsettled, delayed or waited for.
    func isAtRest(at moment: ClockReading) throws -> Bool {
        guard let engine else { return false }
        return try inbox.isEmpty && statements.isEmpty && engine.state.depth == 0
            && engine.state.delayed.isEmpty
            && engine.dueRedrive == nil && !engine.state.isClockBack(at: moment.now)
            && !hasWork(engine, at: moment)
    }
}

struct GroupServices {
    let tester: BuyerID
    var hasLaterCatalog = false
    var apis: Set<AppleAPI> = [.serverAPI]
    /// Whether owners believe that they have had their stores since before every purchase.
    var ownsSinceEver = false
    var variant = GroupVariant.faithful

    func engine(
        _ settings: PartitionEngine.Settings,
        _ store: GroupStore,
        at moment: Timestamp
    ) throws -> PartitionEngine {
        let service: any PartitionedService =
            switch settings.address.service {
            case .orders: OrdersService()
            case .receipts:
                GroupReceipts(
                    real: ReceiptsService(
                        reader: GroupProofReader(variant: variant),
                        notificationReader: GroupNoticeReader(variant: variant),
                        policies: GroupWorld.policies(
                            tester: tester,
                            variant == .arrivalDecides ? [.verifyReceipt] : apis
                        ),
                        freshRestore: 3_600_000,
                        transactionsPerPart: GroupWorld.transactionsPerPart,
                        apple: try GroupWorld.questions(at: moment)
                    ),
                    variant: variant
                )
            case .entitlements:
                GroupEntitlements(
                    real: EntitlementsService(
                        catalog: GroupProduct.catalog(
                            later: hasLaterCatalog,
                            givesOwned: variant == .givesWhatIsOwned
                        )
                    ),
                    variant: variant
                )
            case .notifications:
                NotificationsService(GroupWorld.configuration())
            }
        return PartitionEngine(service: service, settings: settings, store: store)
    }
}

extension ServiceName {
    var order: Int { ServiceName.allCases.firstIndex(of: self) ?? 0 }
}
