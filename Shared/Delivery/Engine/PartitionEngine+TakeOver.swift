import Contracts
import Database

extension PartitionEngine {
    /// Becomes the owner: migrates the schema, counts the epoch, loads the links.
    ///
    /// - Returns: the first output, an attach for every link.
    /// - Throws: `StoreError`, `PartitionIdentity.Mismatch`; then the store is unchanged.
    func takeOver(at clock: ClockReading) throws -> PartitionOutput {
        let batch = try store.write { connection in
            try DeliverySchema.schema.migrate(connection)
            let owner = try DeliveryStore(connection: connection).takeOver(settings.identity)
            try type(of: service).schema.migrate(connection)
            let batch = Batch(self, connection, from: try load(owner, connection, at: clock), at: clock)
            for target in batch.state.senders.keys.sorted() { try batch.step(.start, of: target) }
            return batch
        }
        state = batch.state
        return batch.output
    }

    private func load(
        _ owner: (epoch: UInt64, wasClean: Bool),
        _ connection: any Connection,
        at clock: ClockReading
    ) throws -> PartitionState {
        let delivery = DeliveryStore(connection: connection)
        var loaded = PartitionState()
        loaded.epoch = owner.epoch
        loaded.ownedSince = clock.now
        loaded.life = settings.identifiers.random() >> 35
        // From a random start: a restored store counts the same epoch twice, and its numbers must not repeat.
        loaded.nextNumber = settings.identifiers.random() >> 16
        loaded.isAfterDeath = !owner.wasClean
        loaded.cautious = owner.wasClean ? 0 : Self.cautiousEvents
        loaded.cautiousWork = owner.wasClean ? 0 : Self.cautiousWorkItems
        loaded.cautiousTurns = owner.wasClean ? 0 : Self.cautiousTurns
        let redrives = try RedriveStore(connection: connection).redrives()
        for row in try delivery.links() {
            loaded.senders[row.target] = .init(row, from: settings.address, life: loaded.life)
            loaded.redrives[row.target] = redrives.first { $0.link == row.link }
            loaded.nextLinkRow = max(loaded.nextLinkRow, row.link + 1)
        }
        for receiver in try delivery.receivers() {
            loaded.receivers[.init(from: receiver.from, incarnation: receiver.incarnation)] = receiver
        }
        try retryKnownTypes(connection, now: clock.now)
        loaded.delayed = try DelayedEventStore(connection: connection).subjects()
        loaded.parkedWork = try SuspectStore(connection: connection).parkedWork()
        if hasWork { loaded.askWork(at: clock.now) }
        return loaded
    }

    /// Tries dead letters again whose type this program knows and its predecessor did not.
    private func retryKnownTypes(_ connection: any Connection, now: Timestamp) throws {
        let letters = DeadLetterStore(connection: connection)
        for letter in try letters.letters(unknownType: true) where table.decoders[letter.type] != nil {
            let taken = try letters.take(letter.letterId, .retried, decidedBy: "delivery", now: now)
            guard let taken else { continue }
            try DelayedEventStore(connection: connection).delay(taken.event, due: now, now: now)
        }
    }
}
