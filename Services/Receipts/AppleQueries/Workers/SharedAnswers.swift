import AppStore
import Contracts
import NIOConcurrencyHelpers

/// Asks Apple the same question once for all that wait for its answer; nothing is stored.
///
/// One receipt may be handed in by many logins, and each of them is a query. An answer serves every query that was due
/// before its call began: it is as fresh as its own would have been. Later ones wait for the call that is under way,
/// and share the next one.
final class SharedAnswers: Sendable {
    /// What Apple is asked for a receipt's purchases: the history of the first id that it knows.
    struct Question: Hashable, Sendable {
        let queue: AppleQueryQueue
        /// Each has its own share of the rate limit.
        let partition: Int
        /// Of the receipt; nil where it states none.
        var environment: Environment?
        let identifiers: [TransactionID]
    }

    private struct Answer {
        let result: AppleJobResult
        let startedAt: Timestamp
        /// Ms of the monotonic clock.
        let endedAt: Int64
    }

    private struct State {
        /// By question: those that wait for the call that is under way.
        var waiting: [Question: [CheckedContinuation<Void, Never>]] = [:]
        var answers: [Question: Answer] = [:]

        /// Whether the oldest answer has no place any more; the newest always has one.
        var isOverfull: Bool {
            let transactions = answers.values.reduce(0) { $0 + $1.result.contents.transactions.count }
            return answers.count > SharedAnswers.mostKept
                || answers.count > 1 && transactions > SharedAnswers.mostTransactions
        }
    }

    private enum Turn {
        case ask
        case wait
        case answered(AppleJobResult)
    }

    /// Most answers that are kept.
    static let mostKept = 16
    /// Most transactions of all answers that are kept.
    static let mostTransactions = 10_000
    /// How long an answer is kept, ms: longer than a flood of one receipt waits for its turn.
    static let longestKept: Int64 = 60_000

    private let clock: ClientClock
    private let state = NIOLockedValueBox(State())

    init(clock: ClientClock) { self.clock = clock }

    /// The answer to a question of a query that was due at a time; `ask` asks Apple.
    func answer(
        _ question: Question,
        dueAt: Timestamp,
        _ ask: () async -> AppleJobResult
    ) async -> AppleJobResult {
        while true {
            switch turn(question, dueAt) {
            case .answered(let result): return result
            case .wait: await wait(for: question)
            case .ask:
                let startedAt = clock.now()
                let result = await ask()
                finish(question, Answer(result: result, startedAt: startedAt, endedAt: clock.uptime()))
                return result
            }
        }
    }

    /// Whoever is to ask has the call under way from here on.
    private func turn(_ question: Question, _ dueAt: Timestamp) -> Turn {
        let (now, uptime) = (clock.now(), clock.uptime())
        return state.withLockedValue { state in
            state.answers = state.answers.filter { uptime - $0.value.endedAt < Self.longestKept }
            // At the same time, it may have been asked after the call. A time by a clock that was set back since then
            // says nothing.
            if let known = state.answers[question], dueAt < known.startedAt, known.startedAt <= now {
                return .answered(known.result)
            }
            guard state.waiting[question] == nil else { return .wait }
            state.waiting[question] = []
            return .ask
        }
    }

    private func wait(for question: Question) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isOver = state.withLockedValue { state in
                guard state.waiting[question] != nil else { return true }
                state.waiting[question]?.append(continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    private func finish(_ question: Question, _ answer: Answer) {
        let waiting = state.withLockedValue { state in
            state.answers[question] = answer
            let others = state.answers.filter { $0.key != question }.sorted { left, right in
                left.value.endedAt < right.value.endedAt
            }
            for (oldest, _) in others where state.isOverfull { state.answers[oldest] = nil }
            return state.waiting.removeValue(forKey: question) ?? []
        }
        for continuation in waiting { continuation.resume() }
    }
}
