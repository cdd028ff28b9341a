/// What came of one request.
package enum Reply<Value: Sendable>: Sendable {
    /// Any 2xx.
    case answered(Value)
    /// A 4xx: the same request will never be answered otherwise.
    case rejected(String)
    /// No 2xx and no 4xx: nothing is known, and the same request may be sent again.
    case failed(String)
}

extension Reply where Value: Decodable {
    /// What comes of a request to the gateway.
    package static func of(_ request: () async throws -> HTTPReply) async -> Reply {
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
