import Contracts
import Delivery
import Program
import ZeroMQ

/// Sends requests to the partitions of a home; opens none of their stores.
struct PartitionInquiry: Sendable {
    /// Timeout of a request, ms; allows for a change of owner.
    static let patience: Int64 = 3_000

    let partitions: Int
    private let client: RequestClient
    private let sockets: SocketLoop

    /// Closes the sockets after `body`.
    static func of<Value>(
        _ home: Home,
        _ body: (PartitionInquiry) async throws -> Value
    ) async throws -> Value {
        let inquiry = try PartitionInquiry(home)
        defer { inquiry.sockets.shutdown() }
        return try await body(inquiry)
    }

    private init(_ home: Home) throws {
        // The running configuration counts, not the file.
        let wire: Wire
        if let running = try SupervisorClient(home: home).ask(.status), let partitions = running.partitions {
            self.partitions = partitions
            wire = try home.wire(running.wire, store: running.store, partitions: partitions)
        } else {
            let configuration = try Configuration(of: home)
            partitions = configuration.partitions
            wire = try home.wire(of: configuration)
        }
        sockets = try SocketLoop(name: "counterfoil", keys: wire.keys)
        client = RequestClient(sockets: sockets, source: "/operator", endpoints: wire.endpoints)
    }

    func addresses(of services: [ServiceName] = ServiceName.allCases) -> [PartitionAddress] {
        services.flatMap { service in (0..<partitions).map { PartitionAddress(service, $0) } }
    }

    func ask<Question: RequestContract>(
        _ question: Question,
        of address: PartitionAddress,
        within milliseconds: Int64 = PartitionInquiry.patience
    ) async throws(CommandFailure) -> Question.Reply {
        do {
            return try await client.ask(question, of: address, within: milliseconds)
        } catch {
            throw Self.failure(error, of: address)
        }
    }

    func ask(_ event: [UInt8], _ identifier: EventID, of address: PartitionAddress) async throws -> String {
        let id = identifier.rawValue
        do {
            let reply = try await client.ask(event, id, of: address, at: .current(), within: Self.patience)
            return String(decoding: reply, as: UTF8.self)
        } catch {
            throw Self.failure(error, of: address)
        }
    }

    /// - Throws: `CommandFailure`: `unknown` when none has it; exit code 3 when a silent partition may have it.
    static func find<Question: RequestContract, Row>(
        _ question: Question,
        as row: (PartitionAddress, Question.Reply) -> Row,
        in home: Home,
        unknown: String
    ) async throws -> Row {
        let answers = try await askAll(question, in: home)
        if let found = answers.found.first { return row(found.address, found.reply) }
        try answers.missed.without(.notFound).check("the search")
        throw CommandFailure(description: unknown)
    }

    static func askAll<Question: RequestContract>(
        _ question: Question,
        in home: Home
    ) async throws -> PartitionAnswers<Question.Reply> {
        try await of(home) { inquiry in await inquiry.askAll(question, inquiry.addresses()) }
    }

    func askAll<Question: RequestContract>(
        _ question: Question,
        _ addresses: [PartitionAddress]
    ) async -> PartitionAnswers<Question.Reply> {
        let found = await results(of: addresses) { address async throws(CommandFailure) in
            try await ask(question, of: address, within: Self.patience)
        }
        return PartitionAnswers(Dictionary(found) { _, last in last })
    }

    private static func failure(_ error: any Error, of address: PartitionAddress) -> CommandFailure {
        switch error {
        case RequestClient.Fault.timedOut:
            CommandFailure(
                description: "\(address) does not answer; does the group run?",
                isSilence: true,
                missed: address
            )
        case let refusal as RequestRefusal:
            CommandFailure(
                description: "\(address) refuses: \(refusal.detail) (\(refusal.code.rawValue))",
                refusal: refusal
            )
        default: CommandFailure(description: "\(address): \(error)")
        }
    }
}
