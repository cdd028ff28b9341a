import Contracts
import FoundationEssentials
import HTTPClient

/// A request to the App Store simulator of a test home: let something happen to a purchase.
struct SimulatorCall {
    /// The body of `POST /_control/events`.
    struct Request: Encodable, Equatable {
        let event: String
        let transactionId: String
        var productId: String?
        var gracePeriodDays: Double?
    }

    /// What the simulator says that it has done.
    struct Answer: Codable, Equatable {
        /// A notification to the app's server.
        struct Sent: Codable, Equatable {
            let notificationUUID: String
            let notificationType: String
            let subtype: String?
        }

        struct Transaction: Codable, Equatable {
            let transactionId: String
        }

        var transactions: [Transaction]?
        var notifications: [Sent]?
    }

    private struct Problem: Decodable {
        let detail: String
    }

    private static let timeout: Int64 = 10_000
    private static let answerBytes = 16 << 20

    /// The simulator's address, without a slash at its end.
    let url: String
    var send: @Sendable (HTTPCall) async throws(HTTPFailure) -> HTTPAnswer = {
        call async throws(HTTPFailure) in try await HTTPClient.shared.execute(call)
    }

    /// - Throws: `CommandFailure` when the simulator refuses, or does not answer.
    func perform(_ request: Request) async throws -> Answer {
        let body = HTTPCall.Body.wanted(limit: Self.answerBytes)
        var call = HTTPCall("POST", url + "/_control/events", timeout: Self.timeout, body: body)
        call.headers = [(name: "Content-Type", value: "application/json")]
        call.content = Array(try JSONEncoder().encode(request))
        let answer: HTTPAnswer
        do throws(HTTPFailure) {
            answer = try await send(call)
        } catch {
            let problem = "the App Store simulator at \(url) does not answer (\(error.rawValue))"
            let failure = CommandFailure(description: problem + "; does it run?", isSilence: true)
            throw failure.withCodeOfSilence
        }
        guard answer.status == 200 else { throw refusal(answer) }
        do {
            return try JSONDecoder().decode(Answer.self, from: Data(answer.body))
        } catch {
            throw CommandFailure(description: "\(url) is no App Store simulator: its answer cannot be read")
        }
    }

    private func refusal(_ answer: HTTPAnswer) -> CommandFailure {
        var reason = "\(answer.status)"
        do {
            reason = try JSONDecoder().decode(Problem.self, from: Data(answer.body)).detail
        } catch {
            reason += ", and does not say why"
        }
        return CommandFailure(description: "the App Store simulator refuses: \(reason)")
    }
}
