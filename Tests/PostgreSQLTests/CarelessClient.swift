import Database

@testable import PostgreSQL

/// A client of the log as one would write it first: each carelessness breaks one law, which shows that the law's test
/// can fail.
enum Carelessness: CaseIterable, Sendable {
    case takesUnknownForDone
    case takesUnknownForFailed
    case readsBack
    case ignoresWarnings
    case checksNoPosition
}

/// What an owner is told about an entry.
enum Told: Equatable {
    case done, notDone, notKnown

    init(_ outcome: AppendOutcome) {
        switch outcome {
        case .appended: self = .done
        case .taken, .behind: self = .notDone
        case .unknown: self = .notKnown
        }
    }
}

struct CarelessClient {
    let carelessness: Carelessness
    let connection: LogConnection

    private static let insert = """
        INSERT INTO public.counterfoil_entry (partition, position, epoch, former, kind, bytes)
        VALUES ('orders/0', $1::bigint, $2::bigint, $2::bigint, $3::bigint, $4::bytea)
        """
    private static let read =
        "SELECT count(*) FROM public.counterfoil_entry WHERE position = $1::bigint AND bytes = $2::bytea"

    func append(_ entry: LogEntry) -> Told {
        let parameters: [Parameter] = [
            .number(entry.position), .number(entry.epoch), .number(Int64(entry.kind.rawValue)),
            .bytes(entry.bytes),
        ]
        do throws(SessionFault) {
            let reply = try connection.run(Statement(Self.insert, parameters), until: Deadline(in: 1_500))
            return reply.warnings.isEmpty || carelessness == .ignoresWarnings ? .done : .notKnown
        } catch {
            switch carelessness {
            case .takesUnknownForDone: return .done
            case .takesUnknownForFailed: return .notDone
            case .readsBack: return readBack(entry)
            case .ignoresWarnings, .checksNoPosition: return .notKnown
            }
        }
    }

    private func readBack(_ entry: LogEntry) -> Told {
        do throws(SessionFault) {
            let parameters: [Parameter] = [.number(entry.position), .bytes(entry.bytes)]
            let reply = try connection.run(Statement(Self.read, parameters), until: Deadline(in: 1_500))
            return reply.number(0) == 1 ? .done : .notDone
        } catch { return .notKnown }
    }
}
