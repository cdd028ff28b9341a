import Database

/// The attempts to put one entry into the log, until it is known what became of it.
///
/// An attempt without a clear answer is resolved by the same insert again, never by a read: a row that can be read may
/// be on one machine alone, and gone with it. Where the insert meets its own row it counts it, which is a write; its
/// acknowledgement says that what was written before it is on the standby, too.
///
/// | step | a row | a row, in doubt | no row | `undone` | `elsewhere` | `forbidden` | `unsure`, silent | slow |
/// |---|---|---|---|---|---|---|---|---|
/// | `insert` | appended | insert | confirm | unknown | insert there | refused | insert, new connection | wait |
/// | `confirm` | appended | insert | look | unknown | insert there | refused | insert, new connection | wait |
/// | `look` | – | – | refused | unknown | insert there | refused | insert, new connection | wait |
///
/// A look ends with what `Placement` says, or begins again. In doubt is a row that came with any warning, or from a
/// server whose settings do not promise a second machine, before its COMMIT or behind it. Slow is a server that is
/// still at work, as on the wait for its standby: another connection would wait behind this one. A server that has lost
/// the statement is silent.
///
/// Once an attempt was not clear, nothing is refused any more but unknown: the entry may be there, and whoever took it
/// for refused would write another one in its place.
struct AppendAttempts {
    /// What is asked of the server.
    enum Step: Hashable, CaseIterable {
        /// To put the entry behind the one that it follows, or count it where it is.
        case insert
        /// To count it where it is, whatever is before it.
        case confirm
        /// To say what is in its place.
        case look
    }

    enum Event: Hashable {
        case written(rows: Int, doubt: String?)
        /// Nil if there is no such partition.
        case placed(Placement?)
        case fault(ServerFault)
        case silent(String)
        /// There is no answer yet, and the server is at work on the statement.
        case slow
        /// There is no time for another attempt.
        case timeIsOver
    }

    enum Directive: Hashable {
        case send(Step)
        /// On a connection of its own: the former one is of no use.
        case reconnect(Step)
        /// For the answer that is still to come.
        case wait(Step)
        case finish(AppendOutcome)
        case fail(LogFault)
    }

    /// A server that keeps answering and never clearly is not asked without end.
    static let maximumAttempts = 100

    let entry: LogEntry
    private(set) var step = Step.insert
    private var attempts = 1
    /// Why the last attempt was not clear; nil if none was sent.
    private var doubt: String?

    init(_ entry: LogEntry) { self.entry = entry }

    mutating func apply(_ event: Event) -> Directive {
        switch event {
        case .timeIsOver: return .finish(.unknown(doubt ?? "no server was reached"))
        case .silent(let why): return again(why, reconnects: true)
        case .slow:
            doubt = "the server has not answered yet; perhaps it waits for its standby"
            return .wait(step)
        case .fault(let fault): return take(fault)
        case .placed(let placement): return take(placement)
        case .written(let rows, let doubt): return take(rows: rows, doubt)
        }
    }

    /// The same entry is appended again after an unknown outcome.
    mutating func resume() { attempts = 1 }

    private mutating func take(rows: Int, _ doubt: String?) -> Directive {
        if rows > 0 {
            guard let doubt else { return .finish(.appended) }
            return again(doubt, reconnects: false)
        }
        switch step {
        case .insert: step = .confirm
        case .confirm, .look: step = .look
        }
        return .send(step)
    }

    private mutating func take(_ placement: Placement?) -> Directive {
        guard let placement else { return refuse("the log has no such partition") }
        if let outcome = placement.outcome(of: entry) { return .finish(outcome) }
        return again("the log changed meanwhile", reconnects: false)
    }

    private mutating func take(_ fault: ServerFault) -> Directive {
        switch fault.meaning {
        case .undone: return .finish(.unknown(fault.text))
        case .elsewhere, .unsure: return again(fault.text, reconnects: true)
        case .forbidden: return refuse(fault.text)
        }
    }

    private func refuse(_ why: String) -> Directive {
        doubt == nil ? .fail(.refused(why)) : .finish(.unknown(why))
    }

    private mutating func again(_ why: String, reconnects: Bool) -> Directive {
        doubt = why
        attempts += 1
        guard attempts <= Self.maximumAttempts else { return .finish(.unknown(why)) }
        step = .insert
        return reconnects ? .reconnect(step) : .send(step)
    }
}
