import AppStore
import ScriptedHTTPServer
import Testing

@Suite(.timeLimit(.minutes(5))) struct `a question to an OCSP responder on the wire` {
    private let question = Array("question".utf8)

    /// Why asking at `port` brings no answer; nil when it does.
    private func failure(_ port: Int) async -> TransportFailure? {
        do throws(TransportFailure) {
            _ = try await OCSPOverHTTP().ask(question, at: "http://127.0.0.1:\(port)/ca")
            return nil
        } catch {
            return error
        }
    }

    @Test func `is posted as what it is, and brings status and body back`() async throws {
        let server = try OneCallServer("HTTP/1.1 202 Any\r\nContent-Length: 6\r\n\r\nanswer")
        let answer = try await OCSPOverHTTP().ask(question, at: "http://127.0.0.1:\(server.port)/ca")
        #expect(answer == AppleAnswer(status: 202, body: Array("answer".utf8)))
        let request = await server.request
        #expect(request.hasPrefix("POST /ca HTTP/1.1\r\n"))
        #expect(request.lowercased().contains("\r\ncontent-type: application/ocsp-request\r\n"))
        #expect(request.hasSuffix("\r\n\r\nquestion"))
    }

    @Test func `follows no redirection`() async throws {
        let server = try OneCallServer(
            "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"
        )
        let answer = try await OCSPOverHTTP().ask(question, at: "http://127.0.0.1:\(server.port)/ca")
        #expect(answer.status == 302)
    }

    @Test(arguments: ["Content-Length: 1048577\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n100001\r\n"])
    func `brings no answer above 1 MiB`(head: String) async throws {
        let body = String(repeating: "x", count: 1_048_577) + (head.hasPrefix("T") ? "\r\n0\r\n\r\n" : "")
        let server = try OneCallServer("HTTP/1.1 200 OK\r\n" + head + body)
        #expect(await failure(server.port) == .tooLarge)
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf"])
    func `fails when the connection breaks before or within the answer`(answer: String) async throws {
        #expect(await failure(try OneCallServer(answer).port) == .unreachable)
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf"])
    func `is given up when nobody waits for the answer any more`(answer: String) async throws {
        let server = try OneCallServer(answer, then: .staysOpen)
        await withTaskGroup(of: TransportFailure?.self) { group in
            group.addTask { await failure(server.port) }
            _ = await server.request
            group.cancelAll()
            #expect(await group.next() == .cancelled)
        }
    }
}
