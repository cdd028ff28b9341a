import Contracts
import Delivery
import FoundationEssentials
import HTTPClient
import Program

/// Asks the gateway of a home, on its listener for operations, as the operator whose key is in the environment.
struct DeskClient {
    static let keyVariable = "COUNTERFOIL_OPERATOR_KEY"
    /// Timeout of an answer, ms: longer than the gateway waits for two partitions, one after the other, whose owners
    /// are replaced.
    private static let timeout: Int64 = 30_000
    private static let answerBytes = 16 << 20
    /// How often a request is made while nobody answers; it has the same key each time.
    ///
    /// Pauses before each attempt, ms.
    private static let pauses: [Int64] = [0, 250, 1_000]

    private struct Problem: Decodable {
        let detail: String
        let code: String?
        let field: String?
    }

    /// Without a slash at its end.
    let url: String
    let key: String
    var send: @Sendable (HTTPCall) async throws(HTTPFailure) -> HTTPAnswer = {
        call async throws(HTTPFailure) in try await HTTPClient.shared.execute(call)
    }

    var pause: @Sendable (Int64) async throws -> Void = { try await Task.sleep(for: .milliseconds($0)) }

    init(url: String, key: String) { (self.url, self.key) = (url, key) }

    /// - Throws: `CommandFailure` without a key, or where no gateway of the home has run.
    init(
        of home: Home,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(CommandFailure) {
        guard let key = environment[Self.keyVariable], !key.isEmpty else {
            throw .usage("\(Self.keyVariable) holds no key; `counterfoil operator add` makes one")
        }
        guard let bytes = FileManager.default.contents(atPath: home.operationsAddressFile) else {
            let problem = "no gateway of \(home.root) has announced where operators ask; does the group run?"
            throw CommandFailure(description: problem, exitCode: CommandFailure.notRunningCode)
        }
        let text = String(decoding: bytes, as: UTF8.self)
        self.init(url: String(text.prefix { !$0.isWhitespace }), key: key)
    }

    /// The decoded answer to a request without a body.
    func get<Answer: Decodable>(_ path: String, as _: Answer.Type = Answer.self) async throws -> Answer {
        try await decode(ask(call("GET", path)))
    }

    /// The decoded answer to a request that changes something; `idempotencyKey` is the same where it is repeated.
    ///
    /// `silence` ends what is said where nobody has answered.
    func post<Answer: Decodable>(
        _ path: String,
        _ body: some Encodable,
        idempotencyKey: String = IdentifierSource.eventID().rawValue,
        silence: String = "",
        as _: Answer.Type = Answer.self
    ) async throws -> Answer {
        var call = call("POST", path)
        call.headers += [
            (name: "Content-Type", value: "application/json"),
            (name: "Idempotency-Key", value: idempotencyKey),
        ]
        call.content = Array(try JSONEncoder().encode(body))
        return try await decode(ask(call, silence: silence))
    }

    /// The same for what is proposed, which may be done though nobody answers: a failure then names the key.
    func propose<Answer: Decodable>(
        _ path: String,
        _ body: some Encodable,
        key: String?,
        as _: Answer.Type = Answer.self
    ) async throws -> Answer {
        let key = key ?? IdentifierSource.eventID().rawValue
        let silence = "; it may be done all the same: run it again with --key \(LogText.escaped(key))"
        return try await post(path, body, idempotencyKey: key, silence: silence)
    }

    private func call(_ method: String, _ path: String) -> HTTPCall {
        let body = HTTPCall.Body.wanted(limit: Self.answerBytes)
        var call = HTTPCall(method, "\(url)/v1/admin\(path)", timeout: Self.timeout, body: body)
        call.headers = [(name: "Authorization", value: "Bearer \(key)")]
        return call
    }

    private func ask(_ call: HTTPCall, silence: String = "") async throws -> HTTPAnswer {
        var last = CommandFailure(description: "")
        for milliseconds in Self.pauses {
            if milliseconds > 0 { try await pause(milliseconds) }
            let answer: HTTPAnswer
            do throws(HTTPFailure) {
                answer = try await send(call)
            } catch {
                last =
                    CommandFailure(
                        description:
                            "the gateway at \(url) does not answer (\(error.rawValue)); does the group run?",
                        isSilence: true
                    ).withCodeOfSilence
                continue
            }
            guard answer.status != 503 else {
                last = refusal(answer)
                continue
            }
            guard (200...299).contains(answer.status) else { throw refusal(answer) }
            return answer
        }
        last.description += silence
        throw last
    }

    private func refusal(_ answer: HTTPAnswer) -> CommandFailure {
        do {
            let problem = try JSONDecoder().decode(Problem.self, from: Data(answer.body))
            let field = problem.field.map { " [\($0)]" } ?? ""
            return CommandFailure(description: LogText.escaped("\(answer.status): \(problem.detail)\(field)"))
        } catch {
            return CommandFailure(description: "\(url) answers \(answer.status), and does not say why")
        }
    }

    private func decode<Answer: Decodable>(_ answer: HTTPAnswer) throws -> Answer {
        do {
            return try JSONDecoder().decode(Answer.self, from: Data(answer.body))
        } catch {
            throw CommandFailure(description: "\(url) answers what cannot be read; is it of another version?")
        }
    }
}
