import NIOConcurrencyHelpers
import X509

/// Carries the questions of one check to the responders, and remembers what became of each.
///
/// A responder that cannot be asked makes no error for the policy, so that it goes on to the next certificate:
/// a policy that fails has read an answer.
struct OCSPConversation: OCSPRequester {
    private let transport: any OCSPTransport
    private let questions = NIOLockedValueBox<[Question]>([])

    /// A question that was asked: in doubt, or answered with HTTP status 200, whatever the answer is worth.
    enum Question {
        case answered
        case doubtful(RevocationDoubt)
    }

    init(over transport: any OCSPTransport) { self.transport = transport }

    /// In the order of the chain.
    var asked: [Question] { questions.withLockedValue { $0 } }

    func query(request: [UInt8], uri: String) async -> OCSPRequesterQueryResult {
        do throws(TransportFailure) {
            let answer = try await transport.ask(request, at: uri)
            guard answer.status == 200 else { return note(.httpStatus(answer.status)) }
            questions.withLockedValue { $0.append(.answered) }
            return .response(answer.body)
        } catch {
            // It is the policy that cancels, when its ten seconds are over.
            return note(.noAnswer(error == .cancelled ? .timedOut : error))
        }
    }

    private func note(_ doubt: RevocationDoubt) -> OCSPRequesterQueryResult {
        questions.withLockedValue { $0.append(.doubtful(doubt)) }
        return .nonTerminalError(Unanswered())
    }

    private struct Unanswered: Error {}
}
