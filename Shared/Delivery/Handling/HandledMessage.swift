import Contracts

enum HandledMessage: Equatable {
    case applied
    case deadLettered(String)
    case reply([UInt8])
    case refused(RequestRefusal)
    case wait(on: String, until: Timestamp, otherwise: [UInt8])

    init<Reply: Encodable>(_ outcome: RequestOutcome<Reply>, _ encoder: EventEncoder) throws {
        switch outcome {
        case .reply(let reply): self = .reply(try encoder.encode(reply))
        case .refused(let refusal): self = .refused(refusal)
        case .wait(let key, let until, let otherwise):
            self = .wait(on: key, until: until, otherwise: try encoder.encode(otherwise))
        }
    }
}
