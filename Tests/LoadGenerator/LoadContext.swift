import AppStoreSigning
import NIOConcurrencyHelpers
import TestKit

/// What came of one request.
enum Reply<Value: Sendable>: Sendable {
    /// Any 2xx.
    case answered(Value)
    /// A 4xx: the same request will never be answered otherwise.
    case rejected(String)
    /// No 2xx and no 4xx: nothing is known, and the same request may be sent again.
    case failed(String)
}

extension Reply where Value: Decodable {
    /// What comes of a request to the gateway.
    static func of(_ request: () async throws -> HTTPReply) async -> Reply {
        do {
            let reply = try await request()
            switch reply.status {
            case 200..<300: return .answered(try reply.json())
            case 408, 429: return .failed("\(reply.status)")
            case 400..<500: return .rejected("\(reply.status) \(reply.text)")
            default: return .failed("\(reply.status)")
            }
        } catch {
            return .failed(kind(of: error))
        }
    }

    /// A short word for the report; never more than a handful of different ones.
    private static func kind(of error: any Error) -> String {
        switch error {
        case is HarnessFault: "unreadable"
        case is CancellationError: "cancelled"
        case let fault as HTTPConnections.Fault: fault.rawValue
        default: "\(type(of: error))"
        }
    }
}

/// What all phones of one run share.
struct LoadContext: Sendable {
    private static let firstPause = Duration.milliseconds(25)
    private static let longestPause = Duration.seconds(1)

    let client: GatewayClient
    let signer: AppStoreSigner
    let journal: Journal
    let audit: NIOLockedValueBox<Audit>
    let schedule: Schedule
    /// The names of the buyers.
    let buyers: [String]
    /// What is sold; the last one is not consumed and can be restored.
    let products: [Product]
    let scripts: ScriptGenerator
    /// One for each buyer.
    let ledgers: [LedgerReader]

    /// Takes note of something.
    func note<Value>(_ body: (inout Audit) throws -> Value) rethrows -> Value {
        try audit.withLockedValue(body)
    }

    /// Asks until there is a 2xx, with pauses that grow; nil after a 4xx, or when the run is over.
    func retry<Value: Sendable>(_ request: () async -> Reply<Value>) async throws -> Value? {
        var pause = Self.firstPause
        while !schedule.isOver {
            switch await request() {
            case .answered(let value): return value
            case .rejected(let reason):
                note { $0.noteRejection(reason) }
                return nil
            case .failed(let reason): note { $0.noteError(reason) }
            }
            try await Task.sleep(for: pause * Double.random(in: 0.5...1.5))
            pause = min(pause * 2, Self.longestPause)
        }
        return nil
    }
}
